// Where the caret of a text field is, in pixels from the field's corner.

/** What decides how a text is broken into lines. */
const copied = [
  ...['box-sizing', 'width', 'padding', 'border', 'font', 'letter-spacing', 'line-height'],
  ...['tab-size', 'white-space', 'overflow-wrap', 'word-break'],
] as const;

/** The place below the line of a position in the text of a field. */
export function placeBelow(field: HTMLTextAreaElement, position: number) {
  const mirror = document.createElement('div');
  const style = getComputedStyle(field);
  for (const name of copied) mirror.style.setProperty(name, style.getPropertyValue(name));
  mirror.className = 'mirror';
  mirror.textContent = field.value.slice(0, position);
  const mark = document.createElement('span');
  mark.textContent = '​';
  mirror.append(mark);
  field.after(mirror);
  const { offsetLeft, offsetTop, offsetHeight } = mark;
  mirror.remove();
  return {
    left: field.offsetLeft + offsetLeft,
    top: field.offsetTop + offsetTop + offsetHeight - field.scrollTop,
  };
}
