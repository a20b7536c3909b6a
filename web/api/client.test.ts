import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from './client.ts';

afterEach(() => queryClient.clear());

/** A query whose answers are as old as their requests, and arrive when the test calls them. */
function createSlowQuery() {
  let current = 'old';
  const answers: (() => void)[] = [];
  const options = {
    queryKey: ['video', 'list'],
    queryFn: () => {
      const answer = current;
      return new Promise<string>((resolve) => answers.push(() => resolve(answer)));
    },
  };
  return { options, change: () => (current = 'new'), answers };
}

test('a change while a list loads for the first time loads the list again', async () => {
  const { options, change, answers } = createSlowQuery();
  const shown = new QueryObserver(queryClient, options);
  const hide = shown.subscribe(() => undefined);
  expect(answers).toHaveLength(1);
  change();
  // Two changes cause one more request.
  void queryClient.invalidateQueries({ queryKey: ['video'] });
  void queryClient.invalidateQueries({ queryKey: ['video'] });
  answers[0]!();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!();
  await expect.poll(() => shown.getCurrentResult().data).toBe('new');
  expect(shown.getCurrentResult().fetchStatus).toBe('idle');
  expect(answers).toHaveLength(2);
  hide();
});

test('a change while data is loaded in advance marks it as outdated', async () => {
  const { options, change, answers } = createSlowQuery();
  const loaded = queryClient.fetchQuery(options);
  change();
  void queryClient.invalidateQueries({ queryKey: ['video'] });
  answers[0]!();
  expect(await loaded).toBe('old');
  await expect.poll(() => queryClient.getQueryState(options.queryKey)?.isInvalidated).toBe(true);
  expect(answers).toHaveLength(1);
});
