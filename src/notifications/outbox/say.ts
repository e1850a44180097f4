// Says a notification to people: as mail with a picture, or in the chat.

import { z } from 'zod';
import type { ServerContext } from '../../context.ts';
import type { Notification, Prisma } from '../../generated/prisma/client.ts';
import { postMessage } from '../chat.ts';
import { type Mail, sendMail } from '../email.ts';
import { chartHeight, chartPicture, chartWidth } from '../pictures/chart.ts';
import { escapedForSlack as forChat, slackBlocks } from '../slack-blocks.ts';

/** Say a notification to people; what the other side calls it. */
export async function say(
  ctx: ServerContext,
  notification: Notification,
  threadTs: string | null,
): Promise<string> {
  const { channel, address, event, content } = notification;
  if (channel === 'email') {
    return sendMail(ctx.surroundings.mail, mailOf(notification, threadTs));
  }
  const { title, text, lines, link } = wordsOf(content);
  const head = link === null ? forChat(title) : `<${forChat(link)}|${forChat(title)}>`;
  const acts = link === null ? [] : actsAt(link, event);
  // What a chat shows that knows no blocks, and phones as a notice.
  const message = [
    `*${head}*`,
    ...[text, ...lines].map(forChat),
    ...(acts.length > 0 ? [acts.map(([act, url]) => `<${forChat(url)}|${act}>`).join(' · ')] : []),
  ].join('\n');
  const buttons = link === null ? [] : [['Open', link] as const, ...acts];
  const blocks = slackBlocks({ title, text, lines, acts: buttons });
  return postMessage(ctx, { channel: address, text: message, blocks, threadTs });
}

/** A notification as mail: its words, and where it has values their picture with the same words. */
function mailOf({ id, address, event, content }: Notification, answers: string | null): Mail {
  const { title, text, lines, link } = wordsOf(content);
  const acts = link === null ? [] : actsAt(link, event);
  const said = link === null ? [] : ['', link, ...acts.map(([act, url]) => `${act}: ${url}`)];
  const picture = chartPicture(chartOf(content));
  const links = link === null ? [] : [['Open', link] as const, ...acts];
  return {
    ...{ to: address, id, answers, picture },
    subject: `${subjects.get(event) ?? ''}${title}`,
    text: `${[text, ...lines, ...said].join('\n')}\n`,
    html: picture === null ? null : htmlOf({ title, text, lines, links }),
  };
}

interface Page {
  readonly title: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly links: readonly (readonly [string, string])[];
}

function htmlOf({ title, text, lines, links }: Page): string {
  const [size, alt] = [`width="${chartWidth}" height="${chartHeight}"`, 'The latest values'];
  return [
    `<p><b>${forHtml(title)}</b></p>`,
    `<p>${forHtml(text)}</p>`,
    `<p><img src="cid:chart" ${size} alt="${alt}"></p>`,
    `<p>${lines.map(forHtml).join('<br>')}</p>`,
    `<p>${links.map(([name, url]) => `<a href="${forHtml(url)}">${name}</a>`).join(' · ')}</p>`,
  ].join('\n');
}

const Drawn = z.object({
  chart: z.array(
    z.object({ value: z.number(), lower: z.number().nullable(), upper: z.number().nullable() }),
  ),
});

function chartOf(content: Prisma.JsonValue) {
  const drawn = Drawn.safeParse(content);
  return drawn.success ? drawn.data.chart : [];
}

const subjects: ReadonlyMap<string, string> = new Map([
  ['incident_opened', 'Incident: '],
  ['incident_reopened', 'Incident again: '],
  ['incident_resolved', 'Resolved: '],
]);

/** What can be done about an open incident, and the pages that ask whether to. */
function actsAt(link: string, event: string): (readonly [string, string])[] {
  if (event !== 'incident_opened' && event !== 'incident_reopened') return [];
  return [
    ['Acknowledge', `${link}?do=acknowledge`],
    ['Resolve', `${link}?do=resolve`],
  ];
}

/** The words of a notification's content. */
export function wordsOf(content: Prisma.JsonValue): {
  title: string;
  text: string;
  lines: string[];
  link: string | null;
} {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { title: '', text: '', lines: [], link: null };
  }
  const lines = Array.isArray(content.lines) ? content.lines.map(String) : [];
  const link = typeof content.link === 'string' ? content.link : null;
  return { title: String(content.title ?? ''), text: String(content.text ?? ''), lines, link };
}

const forHtml = (text: string): string => forChat(text).replaceAll('"', '&quot;');
