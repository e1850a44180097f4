// The tools that write: what each is given, and what it says of itself.

import { z } from 'zod';
import { id, maxWords } from './input.ts';
import type { Tool } from './tool.ts';

const once = { idempotent: true };
const eachTime = { idempotent: false };

/** The tools that write by name, in the order in which they are listed. */
export const writeTools: readonly (readonly [string, Tool])[] = [
  [
    'update_documentation',
    {
      title: 'Write documentation',
      description:
        'Replace the description (one sentence) or the definition (Markdown) of a resource. With the ' +
        '`version` that get_resource returned as expectedVersion, nothing is overwritten that someone else saved ' +
        'since. Example: {"id": "shop.public.orders", "description": "All orders."}.',
      names: ['id'],
      input: z.strictObject({
        id,
        description: z.string().optional(),
        definition: z.string().optional(),
        expectedVersion: z.int().min(1).optional(),
      }),
      variables: ({ id, expectedVersion, ...input }) => ({ id, expectedVersion, input }),
      writes: once,
    },
  ],
  [
    'create_question',
    {
      title: 'Ask a question',
      description: 'Ask people something. Example: {"title": "What is net revenue?"}.',
      input: z.strictObject({
        title: z.string().min(1),
        definition: z.string().optional().describe('The question at length, in Markdown.'),
      }),
      variables: (input) => ({ input }),
      writes: eachTime,
    },
  ],
  [
    'reply',
    {
      title: 'Reply to a question',
      description:
        'Reply to a question. Example: {"questionId": "What is net revenue?", ' +
        '"text": "Revenue less refunds."}.',
      names: ['questionId'],
      input: z.strictObject({
        questionId: id,
        text: z.string().min(1).describe('In Markdown.'),
      }),
      variables: ({ questionId, text }) => ({ input: { parentId: questionId, definition: text } }),
      writes: eachTime,
    },
  ],
  [
    'add_comment',
    {
      title: 'Comment on a resource',
      description:
        'Write a comment on a resource; its owners are notified. ' +
        'Example: {"resourceId": "core.fct_orders", "text": "Rows of Monday are missing."}.',
      names: ['resourceId'],
      input: z.strictObject({
        resourceId: id,
        text: z.string().min(1).describe('In Markdown.'),
      }),
      variables: (input) => ({ input }),
      writes: eachTime,
    },
  ],
  [
    'acknowledge_incident',
    {
      title: 'Acknowledge an incident',
      description:
        'Say that you take care of an incident. ' +
        'Example: {"id": "0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51", "comment": "The load is being repeated."}.',
      input: z.strictObject({
        id: z.uuid().describe('As incidents returns it.'),
        comment: z.string().min(1).optional(),
      }),
      variables: ({ id, comment }) => ({ id, input: { status: 'acknowledged', comment } }),
      writes: once,
    },
  ],
  [
    'add_tag',
    {
      title: 'Tag a resource',
      description:
        'Put a tag on a resource. Example: {"id": "shop.public.orders", "tagId": "core"}.',
      names: ['id'],
      tags: ['tagId'],
      input: z.strictObject({ id, tagId: z.string().min(1).max(maxWords) }),
      variables: ({ id, tagId }) => ({ id, input: { addTagIds: [tagId] } }),
      writes: once,
    },
  ],
  [
    'create_lineage',
    {
      title: 'Draw lineage',
      description:
        'Say that data flows from one resource to another. Example: {"fromId": ' +
        '"shop.public.orders", "toId": "core.fct_orders"}.',
      names: ['fromId', 'toId'],
      input: z.strictObject({ fromId: id, toId: id }),
      variables: (input) => ({ input }),
      writes: once,
    },
  ],
];
