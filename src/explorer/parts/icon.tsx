// The small pictures: one for each kind of resource.

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

/** The picture of a kind; it says nothing to those who listen, who hear the kind's name. */
export function Icon({ kind }: { kind: string }) {
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
      <path d={paths[kind] ?? paths.document} />
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
