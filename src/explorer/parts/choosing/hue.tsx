// The colour of a tag, as a dot: its name says what it is.

/** The dot; it says nothing to those who listen. */
export function Hue({ of }: { of: string }) {
  return <i className="hue" style={{ background: of }} aria-hidden="true" />;
}
