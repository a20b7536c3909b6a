import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeItem, deleteItem } from '../../archive/queue/items.ts';
import { createQueueItem, createUser, engines, testApp, type TestApp } from '../../test-support/app.ts';

describe.each(engines)('channels of the queue, on $engine', (on) => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp({ on });
  });
  afterEach(() => t.close());

  test('are readable by ordinary users, with names in lower case', async () => {
    const channelId = 'UCaaaaaaaaaaaaaaaaaaaaaa';
    for (let n = 0; n < 2; n++) await createQueueItem(t.app.db, { channelId, channelName: 'Some Channel' });
    await createQueueItem(t.app.db, { channelId: '', channelName: '' }); // not looked up yet
    const user = await createUser(t);
    const response = await user.call('GET', '/api/download/aggs/?filter=pending');
    expect(response.json()).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [
        {
          key: ['some channel', channelId],
          key_as_string: `some channel|${channelId}`,
          doc_count: 2,
          channel_name: 'Some Channel',
        },
      ],
    });
    expect((await user.call('GET', '/api/download/?filter=pending')).statusCode).toBe(403);
  });

  test('are those with the most items of a status, and a count of all other items', async () => {
    const { db } = t.app;
    const user = await createUser(t);
    for (let n = 0; n < 33; n++) await createQueueItem(db, { channelId: `c${n}`, channelName: `Channel ${n}` });
    for (const id of ['second', 'third'])
      await createQueueItem(db, { id, channelId: 'c32', channelName: 'Channel 32', kind: 'shorts' });
    const read = async (filter: string) => {
      const { buckets, ...reply } = (await user.call('GET', `/api/download/aggs/?filter=${filter}`)).json();
      return { first: buckets[0] && [buckets[0].channel_name, buckets[0].doc_count], listed: buckets.length, ...reply };
    };
    expect(await read('pending')).toMatchObject({ first: ['Channel 32', 3], listed: 30, sum_other_doc_count: 3 });
    expect(await read('ignore')).toMatchObject({ listed: 0, sum_other_doc_count: 0 });
    await changeItem(db, 'second', 'ignore');
    await deleteItem(db, 'third');
    expect(await read('pending')).toMatchObject({ first: ['Channel 0', 1], listed: 30, sum_other_doc_count: 3 });
    expect(await read('ignore')).toMatchObject({ first: ['Channel 32', 1], listed: 1 });
  });
});
