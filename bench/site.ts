import { constants, setPriority } from 'node:os';
import { aCatalogue, aChannel, aVideo } from '../test-site/builders.ts';
import { startTestSite } from '../test-site/site.ts';

// Separate process with a test site that serves a channel. It has low priority, because a real site runs on another machine and
// must not slow down the measurement.

setPriority(constants.priority.PRIORITY_LOW);
const channel = aChannel({ name: 'Arriving' });
const { videos = 200 } = JSON.parse(process.argv[2] ?? '{}') as { videos?: number };
// New ids in each run, because a library that is kept already has those of the last run.
const run = Math.floor(Date.now() / 1000)
  .toString(36)
  .slice(-6);
const arriving = Array.from({ length: videos }, (_, n) =>
  aVideo({ id: `v${run}${String(n).padStart(4, '0')}`, channelId: channel.id }),
);
const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: arriving }) });
const siteInfo = { proxyUrl: testSite.proxyUrl, channel: `${channel.handle}/videos`, channelId: channel.id };
console.log(JSON.stringify({ ...siteInfo, ids: arriving.map(({ id }) => id) }));
