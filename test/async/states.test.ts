import { expect, test } from 'vitest';
import { type StateChanges, States } from '../../src/async/states.ts';

type Door = 'open' | 'closed' | 'locked';
const changes: StateChanges<Door> = {
  open: ['closed'],
  closed: ['open', 'locked'],
  locked: ['closed'],
};

test('a state follows those that it may follow, and no other', () => {
  const door = new States<Door>(changes, 'open');
  for (const state of ['closed', 'locked', 'closed', 'open'] as const) {
    door.become(state);
    expect(door.now).toBe(state);
  }
  expect(() => door.become('locked')).toThrow('The state locked may not follow open.');
  expect(() => door.become('open')).toThrow('The state open may not follow open.');
  expect(door.now).toBe('open');
});
