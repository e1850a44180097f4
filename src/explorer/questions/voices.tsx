// What people think of a question or a reply: votes, and emoji.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { questionWords as words } from '../words/questions.ts';
import { QuestionItself, type QuestionOn, React, Vote } from './page.graphql';

/** Offered; others stand there once a program reacted with them. */
const offered = ['👍', '❤️', '🎉', '😄', '👀', '🙏'];

interface VoicesProps {
  readonly of: Pick<QuestionOn, 'id' | 'votesSum' | 'currentUserVote' | 'reactionCounts'>;
}

/** The votes and emoji, which the viewer adds to and takes back by a press. */
export function Voices({ of: { id, votesSum, currentUserVote, reactionCounts } }: VoicesProps) {
  const may = useMay('take_part');
  const vote = useAct((value: number) => ask(Vote, { id, value }), [QuestionItself]);
  const react = useAct(
    (one: { emoji: string; on: boolean }) => ask(React, { id, ...one }),
    [QuestionItself],
  );
  const others = offered.filter((emoji) => reactionCounts.every((one) => one.emoji !== emoji));
  if (!may) return null;
  return (
    <fieldset className="voices" aria-label={words.voices}>
      {([1, -1] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={currentUserVote === value}
          aria-label={value === 1 ? words.voteFor : words.voteAgainst}
          disabled={vote.isPending}
          onClick={() => vote.mutate(currentUserVote === value ? 0 : value)}
        >
          <Icon kind={value === 1 ? 'up' : 'down'} />
        </button>
      ))}
      <span title={words.votes(votesSum)}>{votesSum}</span>
      {reactionCounts.map(({ emoji, count, isByViewer }) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={isByViewer}
          aria-label={words.reactedBy(emoji, count)}
          disabled={react.isPending}
          onClick={() => react.mutate({ emoji, on: !isByViewer })}
        >
          {emoji} {count}
        </button>
      ))}
      <Menu className="emoji" says={<Icon kind="smile" />} name={words.addReaction}>
        <div>
          {others.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={words.react(emoji)}
              onClick={() => react.mutate({ emoji, on: true })}
            >
              {emoji}
            </button>
          ))}
        </div>
      </Menu>
      {[vote.error, react.error].map(
        (error) => error && <Problem key={error.message} error={error} />,
      )}
    </fieldset>
  );
}
