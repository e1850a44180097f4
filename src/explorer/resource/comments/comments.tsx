// Comments on a resource: reading them, writing one, changing and deleting one's own.

import { type SyntheticEvent, useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { useKeptText } from '../../asking/form.ts';
import { notify } from '../../asking/undo.ts';
import { useAct, useList } from '../../asking/use-answer.ts';
import { useMay } from '../../asking/viewer.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Moment } from '../../parts/moment.tsx';
import { More } from '../../parts/more.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { commentWords as words } from '../../words/questions.ts';
import { CommentField } from './comment-field.tsx';
import {
  AddComment,
  type CommentOn,
  CommentsOn,
  EditComment,
  RemoveComment,
} from './comments.graphql';

const atOnce = 20;
interface CommentsProps {
  readonly id: string;
  /** What is asked for again once there are more or fewer: the page that counts them. */
  readonly renewed: readonly { readonly name: string }[];
}

/** The comments, the newest first, below the field for another one. */
export function Comments({ id, renewed: page }: CommentsProps) {
  const renewed = [CommentsOn, ...page];
  const { data, nodes, rest, error, refetch } = useList(
    CommentsOn,
    { id },
    { atOnce, of: ({ resource }) => resource?.comments },
  );
  const mayComment = useMay('comment_on_resources');
  return (
    <section className="sheet">
      <h2>{words.title}</h2>
      {mayComment && <Commenting id={id} renewed={renewed} />}
      {error && !data && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={2} />}
      {data && nodes.length === 0 && (
        <p className="quiet">
          {words.none}. {words.noneHow}
        </p>
      )}
      {nodes.map((comment) => (
        <Comment key={comment.id} comment={comment} renewed={renewed} />
      ))}
      <More rest={rest} />
    </section>
  );
}

/** What is written is kept in this tab until it is sent. */
function Commenting({ id, renewed }: CommentsProps) {
  const [text, setText] = useKeptText(`comment:${id}`);
  const add = useAct(() => ask(AddComment, { input: { resourceId: id, text } }), renewed);
  const send = () => {
    if (text.trim() === '' || add.isPending) return;
    add.mutate(undefined, { onSuccess: () => setText('') });
  };
  return (
    <form className="asking" onSubmit={submitting(send)}>
      <CommentField label={words.text} value={text} write={setText} send={send} />
      <button type="submit">{words.add}</button>
      {add.error && <Problem error={add.error} isKept />}
    </form>
  );
}

interface CommentProps extends Pick<CommentsProps, 'renewed'> {
  readonly comment: CommentOn;
}

function Comment({ comment, renewed }: CommentProps) {
  const { id, text, createdAt, updatedAt, mayChange, mayDelete } = comment;
  const [isEdited, setEdited] = useState(false);
  const remove = useAct(() => ask(RemoveComment, { id }), renewed);
  const name = comment.author?.name ?? words.someone;
  const del = () =>
    remove.mutate(undefined, {
      onSuccess: () => notify({ says: words.deleted }),
      onError: (error) => notify({ error }),
    });
  return (
    <article className="comment" aria-label={words.by(name)}>
      <Avatar name={name} />
      <div>
        <p>
          <b>
            <bdi>{name}</bdi>
          </b>{' '}
          <span className="quiet">
            <Moment at={createdAt} /> {updatedAt === createdAt ? '' : words.edited}
          </span>
        </p>
        {isEdited ? (
          <Editing comment={comment} renewed={renewed} close={() => setEdited(false)} />
        ) : (
          <Markdown text={text} />
        )}
        {!isEdited && (mayChange || mayDelete) && (
          <div className="acts">
            {mayChange && (
              <button type="button" onClick={() => setEdited(true)}>
                {words.edit}
                <span className="spoken">{words.editOf(name)}</span>
              </button>
            )}
            {mayDelete && (
              <Sure label={words.delete} of={words.by(name)} isBusy={remove.isPending} act={del} />
            )}
          </div>
        )}
      </div>
    </article>
  );
}

function Editing({ comment, renewed, close }: CommentProps & { readonly close: () => void }) {
  const { id, version } = comment;
  const [text, setText] = useState(comment.text);
  const change = useAct(() => ask(EditComment, { id, text, version }), renewed);
  const send = () => {
    if (text.trim() === '' || change.isPending) return;
    change.mutate(undefined, { onSuccess: close });
  };
  return (
    <form className="asking" onSubmit={submitting(send)}>
      <CommentField label={words.text} value={text} write={setText} send={send} leave={close} />
      <button type="submit">{words.save}</button>
      <button type="button" onClick={close}>
        {words.cancel}
      </button>
      {change.error && <Problem error={change.error} />}
    </form>
  );
}

function submitting(send: () => void) {
  return (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };
}
