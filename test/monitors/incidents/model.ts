// The rules of incidents written once more, to compare with what they make of histories.

import type { Decision, IncidentEvent } from '../../../src/monitors/incidents/rules.ts';
import type { Verdict } from '../../../src/monitors/learning/threshold.ts';

/** Something that happens to a monitor or its incident, without its time. */
export type Step =
  | Verdict
  | Exclude<IncidentEvent['type'], 'measured'>
  | { type: 'measured'; value: number; verdict: Verdict };

/** The rules written once more, from the whole history and without any state of an incident. */
export class IncidentModel {
  enabled = true;
  open = false;
  acknowledged = false;
  ever = false;
  good = 0;
  /** Values in range since somebody called the latest incident fixed, until three have shown it. */
  proof: number | null = null;
  /** What an event must do: open, attach, notify. */
  take(step: Step): { opened: boolean; attached: boolean; notify: Decision['notify'] } {
    const nothing = { opened: false, attached: false, notify: null };
    const close = () => {
      this.open = false;
      return { ...nothing, notify: 'resolved' as const };
    };
    switch (step) {
      case 'above':
      case 'below': {
        if (!this.enabled) return nothing;
        if (!this.open && this.proof !== null) return this.relapse();
        const opened = !this.open;
        if (opened) this.acknowledged = false;
        Object.assign(this, { open: true, ever: true, good: 0 });
        return { opened, attached: true, notify: opened ? 'opened' : null };
      }
      case 'within':
        if (!this.enabled) return nothing;
        if (!this.open && this.proof !== null)
          this.proof = this.proof === 2 ? null : this.proof + 1;
        if (!this.open) return nothing;
        this.good++;
        return this.good === 3 ? close() : nothing;
      case 'new_level':
        if (this.enabled && !this.open && this.proof !== null) return this.relapse();
        if (this.enabled && this.open) this.good = 0;
        return nothing;
      case 'commented':
      case 'acknowledged':
        if (this.open) this.acknowledged = true;
        return nothing;
      case 'reopened':
        if (this.open) this.acknowledged = false;
        else if (this.ever && this.enabled) this.relapse();
        return nothing;
      case 'resolved':
        if (!this.open) return nothing;
        this.proof = 0;
        return close();
      case 'monitor_disabled':
      case 'monitor_deleted':
        this.enabled = false;
        return this.open ? close() : nothing;
      case 'monitor_enabled':
        this.enabled = true;
        return nothing;
      default:
        return nothing;
    }
  }
  /** What was called fixed is not, or somebody says that it goes on. */
  private relapse(): { opened: boolean; attached: boolean; notify: Decision['notify'] } {
    Object.assign(this, { open: true, good: 0, proof: null, acknowledged: false });
    return { opened: false, attached: true, notify: 'reopened' };
  }
}
