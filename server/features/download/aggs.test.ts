import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
});
