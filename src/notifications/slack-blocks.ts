// Messages as blocks of Slack, as https://docs.slack.dev/reference/block-kit/blocks has them.

/** A message, before it has a form. */
export interface SlackMessage {
  readonly title: string;
  readonly text: string;
  /** What else there is to say, by name. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** What else there is to say, in sentences. */
  readonly lines?: readonly string[];
  /** What can be done, each at an address. */
  readonly acts: readonly (readonly [name: string, url: string])[];
}

/** Characters that each part of a block may have. */
const most = { header: 150, section: 3_000, field: 2_000, url: 3_000 };
/** Fields that a section may have. */
const mostFields = 10;

/** The blocks of a message, each as long as Slack takes it. */
export function slackBlocks({ title, text, facts = [], lines = [], acts }: SlackMessage): object[] {
  const section = (said: string) =>
    said === ''
      ? []
      : [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: cut(escapedForSlack(said), most.section) },
          },
        ];
  const fields = facts.slice(0, mostFields).map(([name, value]) => ({
    type: 'mrkdwn',
    text: cut(`*${escapedForSlack(name)}*\n${escapedForSlack(value)}`, most.field),
  }));
  const elements = acts
    .filter(([, url]) => url.length <= most.url)
    .map(([name, url]) => ({
      ...{ type: 'button', text: { type: 'plain_text', text: name } },
      ...{ url, action_id: name.toLowerCase() },
    }));
  return [
    ...(title === ''
      ? []
      : [{ type: 'header', text: { type: 'plain_text', text: cut(title, most.header) } }]),
    ...section(text),
    ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
    ...section(lines.join('\n')),
    ...(elements.length === 0 ? [] : [{ type: 'actions', elements }]),
  ];
}

/** The three characters that mean something in a text of Slack. */
export const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
