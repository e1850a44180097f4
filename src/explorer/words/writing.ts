// What the editor of documentation says.

import { counted } from '../words.ts';

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
  uploading: (number: number) => `Uploading image ${number} …`,
  imageTooLarge: (name: string) => `${name} is larger than 2 MB. Use a smaller image.`,
  noImage: 'The server kept no image. Try again.',
  nothing: 'No preview yet',
  suggestions: { person: 'Mention', resource: 'Link to' },
  found: (count: number) => counted(count, 'suggestion'),
  kept: 'Draft kept in this browser',
} as const;
