// Somebody at a page: what they press and type is counted, by pointer or by keyboard alone.

import type { Locator, Page } from '../../browser.ts';
import { waiting } from '../demo.ts';

/** What somebody works with. */
export type Means = 'pointer' | 'keyboard';

/** Most stops of Tab on the way to something: a page where it is further away can't be worked with. */
const mostStops = 400;

export class Hand {
  /** How often something was pressed, and how many fields were typed in. */
  clicks = 0;
  typed = 0;

  constructor(
    readonly page: Page,
    readonly means: Means,
  ) {}

  /** Press a link, a button, a tick or what opens something. */
  async press(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.waitFor(waiting);
    if (this.means === 'pointer') return target.click();
    await this.reach(target);
    const isTicked = await target.evaluate((at) => at.matches('[type=checkbox]'));
    await this.page.keyboard.press(isTicked ? 'Space' : 'Enter');
  }

  /** Tick one of several: the arrows lead from the ticked one to it. */
  async tick(target: Locator): Promise<void> {
    if (this.means === 'pointer') return this.press(target);
    this.clicks += 1;
    const name = await target.getAttribute('name');
    await this.reach(this.page.locator(`input[type=radio][name="${name}"]:checked`));
    while (!(await target.isChecked())) await this.page.keyboard.press('ArrowDown');
  }

  /** Write in a field what replaces all that stands in it. */
  async type(field: Locator, text: string): Promise<void> {
    this.typed += 1;
    await field.waitFor(waiting);
    if (this.means === 'pointer') return field.fill(text);
    await this.reach(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Choose of a list that the browser draws. */
  async pick(field: Locator, label: string): Promise<void> {
    this.clicks += 1;
    await field.waitFor(waiting);
    if (this.means === 'pointer') {
      await field.selectOption({ label });
      return;
    }
    await this.reach(field);
    await this.page.keyboard.type(label);
  }

  /** Choose files of this machine. */
  async give(field: Locator, paths: readonly string[]): Promise<void> {
    this.clicks += 1;
    if (this.means === 'keyboard') await this.reach(field);
    await field.setInputFiles([...paths]);
  }

  /** Press keys that go to where the focus is, such as those of a slider. */
  async keys(field: Locator, ...names: readonly string[]): Promise<void> {
    this.clicks += 1;
    if (this.means === 'pointer') await field.focus();
    else await this.reach(field);
    for (const name of names) await this.page.keyboard.press(name);
  }

  /** Come there by Tab alone. */
  private async reach(target: Locator): Promise<void> {
    await target.waitFor(waiting);
    for (let stops = 0; stops < mostStops; stops += 1) {
      if (await target.evaluate((at) => at.matches(':focus'))) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`${target} is not reached by ${mostStops} stops of Tab.`);
  }
}
