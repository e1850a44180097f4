// What the editor of documentation says.

import { counted, number } from '../words.ts';

export const writingWords = {
  title: 'Title',
  view: 'View',
  modes: { write: 'Write', split: 'Split', preview: 'Preview' },
  toolbar: 'Format',
  tools: {
    heading: 'Heading',
    bold: 'Bold (Ctrl+B)',
    italic: 'Italic (Ctrl+I)',
    code: 'Code (Ctrl+E)',
    link: 'Link (Ctrl+K)',
    bullets: 'Bulleted list',
    numbers: 'Numbered list',
    tasks: 'Task list',
    quote: 'Quote',
    table: 'Insert table',
    image: 'Insert image',
    mention: 'Mention a person',
    resource: 'Link a resource',
  },
  count: (count: number) => `Markdown · ${counted(count, 'word')}`,
  hint: '@ person · [[ resource · Ctrl+S saves',
  chooseImages: 'Images',
  image: 'Image',
  uploading: (at: number) => `Uploading image ${at} …`,
  waiting: (count: number) =>
    count === 1 ? 'Uploading image …' : `Uploading ${number(count)} images …`,
  savesAfter: 'Saves after the upload',
  imageLost: 'An image did not finish uploading. Insert it again.',
  notUploaded: (name: string, why: string) => `${name} was not uploaded. ${why}`,
  notAnImage: (name: string) => `${name} is not an image. Use a PNG, JPEG, GIF or WebP image.`,
  imageTooLarge: (name: string) => `${name} is larger than 2 MB. Use a smaller image.`,
  noImage: 'The server kept no image. Try again.',
  nothing: 'No preview yet',
  suggestions: { person: 'Mention', resource: 'Link to' },
  found: (count: number) => counted(count, 'suggestion'),
  kept: 'Draft kept in this browser',
} as const;
