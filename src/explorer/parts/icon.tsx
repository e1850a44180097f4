// The small pictures: one for each kind of resource, place and act.

const paths: Readonly<Record<string, string>> = {
  table: 'M2 3h12v10H2zM2 6.5h12M6.5 6.5V13',
  column: 'M5 2h6v12H5z',
  query: 'M3 4l3.5 4L3 12M8.5 12H13',
  chart: 'M3 13V8M8 13V3M13 13V6',
  dashboard: 'M2 3h5v5H2zM9 3h5v3H9zM9 8.5h5V13H9zM2 10.5h5V13H2z',
  dashboard_group: 'M2 4h5l1.5 2H14v7H2z',
  document: 'M4 2h6l3 3v9H4zM6.5 8h4M6.5 11h4',
  glossary: 'M3 3h4.5L8 4l.5-1H13v10H8.5L8 14l-.5-1H3zM8 4v10',
  job: 'M4 3l9 5-9 5z',
  database: 'M3 4c0-2.6 10-2.6 10 0v8c0 2.6-10 2.6-10 0zM3 4c0 2.6 10 2.6 10 0',
  schema: 'M2 5l6-3 6 3-6 3zM2 8.5l6 3 6-3M2 11.5l6 3 6-3',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.6v.2',
  question_reply: 'M2 3h12v8H7l-3 3v-3H2z',
  collection: 'M2 4h5l1.5 2H14v7H2z',
  category: 'M2 2h6l6 6-6 6-6-6zM5 5v.1',
  event: 'M9 2L4 9h4l-1 5 5-7H8z',
  event_property: 'M9 2L4 9h4l-1 5 5-7H8z',
};

/** Of places and acts. */
const others: Readonly<Record<string, string>> = {
  home: 'M2.5 7.5L8 2.8l5.5 4.7M4 6.5V13h8V6.5',
  browse: 'M3 2v10.5h4M3 5.5h4M9 4h5v3H9zM9 11h5v3H9z',
  documents: 'M4 2h6l3 3v9H4zM6.5 8h4M6.5 11h4',
  terms: 'M3 3h4.5L8 4l.5-1H13v10H8.5L8 14l-.5-1H3zM8 4v10',
  questions: 'M2 3h12v8H7l-3 3v-3H2zM8 8.9v.1M6.6 5.6c.2-1.3 2.8-1.2 2.8.2 0 .9-1.4 1-1.4 1.7',
  monitors: 'M1.5 8.5h3L6.5 3l3 10 2-4.5h3',
  incidents: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  impact: 'M3 8h3M6 8c3 0 1.5-4.5 4.5-4.5H13M6 8c3 0 1.5 4.5 4.5 4.5H13M6 8h7',
  lineage: 'M3 8h3M6 8c3 0 1.5-4.5 4.5-4.5H13M6 8c3 0 1.5 4.5 4.5 4.5H13M6 8h7',
  sources: 'M5 2v3M11 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.2',
  audit: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.5 4v.1M2.5 8v.1M2.5 12v.1',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 2v1.6M8 12.4V14M2 8h1.6M12.4 8H14M3.8 3.8l1.1 1.1M11.1 11.1l1.1 1.1M3.8 12.2l1.1-1.1M11.1 4.9l1.1-1.1',

  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  pencil: 'M3 13l.7-3L11 2.7 13.3 5 6 12.3z',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  bell: 'M3.5 11.5c1-1 1-2.5 1-4.5a3.5 3.5 0 0 1 7 0c0 2 0 3.5 1 4.5zM6.8 14h2.4',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.3c.3-1.9 3.5-1.6 3.5.2C9.8 7.7 8 7.7 8 9M8 11.2v.1',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.3',
  person: 'M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5',
  more: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  dots: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  left: 'M10 4L6 8l4 4',
  right: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  smile: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.5 9.5c1 1.6 4 1.6 5 0M6 6.4v.1M10 6.4v.1',
};

/** The picture of a kind; it says nothing to those who listen, who hear the kind's name. */
export function Icon({ kind }: { kind: string }) {
  return <Drawn path={paths[kind] ?? others[kind] ?? paths.document ?? ''} />;
}

/** A picture of lines, 16 units wide and high. */
export function Drawn({ path }: { path: string }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d={path} />
    </svg>
  );
}

/** The picture in a coloured square. */
export function Chip({ kind }: { kind: string }) {
  return (
    <span className="chip" data-kind={kind}>
      <Icon kind={kind} />
    </span>
  );
}
