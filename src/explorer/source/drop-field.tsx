// The field that files are dropped on, or chosen with.

import { type DragEvent, useState } from 'react';
import { uploadWords as words } from '../words/jobs/uploads.ts';
import { type ChosenFile, fieldOf } from './formats.ts';
import type { SourceThere } from './shown.ts';

interface DropFieldProps {
  readonly fedBy: SourceThere['fedBy'];
  readonly add: (files: readonly ChosenFile[]) => void;
}

/** The field; each file finds its place by its name. */
export function DropField({ fedBy, add }: DropFieldProps) {
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  const take = (files: readonly File[]) => {
    const found = files.map((file) => ({ field: fieldOf(fedBy, file.name), file }));
    setUnknown(found.flatMap(({ field, file }) => (field === null ? [file.name] : [])));
    add(found.flatMap(({ field, file }) => (field === null ? [] : [{ field, file }])));
  };
  const drag = (event: DragEvent, over: boolean) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <>
      <label
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take([...event.dataTransfer.files]);
        }}
      >
        <b>{words.drop}</b>
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])]);
            // The same file again is a choice, too.
            currentTarget.value = '';
          }}
        />
        <small className="quiet">
          {fedBy === 'artifacts' ? words.takes.artifacts : words.takes.files} {words.limit}
        </small>
      </label>
      {unknown.length > 0 && (
        <p className="wrong" role="alert">
          {words.unknown(unknown.join(', '))}
        </p>
      )}
    </>
  );
}
