import { expect, test } from 'vitest';
import { conditionsOf, watchedRuleOf } from './watched-rule.ts';

test('turns lists of watched videos into rules, unless they have other conditions', () => {
  const list = { cleanup: 'watched', sort: 'mediasize', order: 'desc', channel: 'UC1' } as const;
  expect(conditionsOf(list)).toEqual({ minSize: 0, availableOnly: false });
  expect(conditionsOf({ ...list, active: true, min_size: 2e9 })).toEqual({ minSize: 2e9, availableOnly: true });
  expect(conditionsOf({ ...list, cleanup: 'unopened' })).toBeUndefined();
  expect(conditionsOf({ ...list, active: false })).toBeUndefined();
  expect(conditionsOf({ ...list, type: 'shorts' })).toBeUndefined();
});

test('a channel overrides each part of the rule', () => {
  const all = { autodelete_days: 30, autodelete_min_size: 2e9, autodelete_available_only: true } as Parameters<
    typeof watchedRuleOf
  >[0];
  expect(watchedRuleOf(all)).toEqual({ days: 30, minSize: 2e9, availableOnly: true });
  expect(watchedRuleOf(all, { autodelete_days: 0, autodelete_min_size: 0, autodelete_available_only: null })).toEqual({
    days: 0,
    minSize: 0,
    availableOnly: true,
  });
});
