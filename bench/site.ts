import { constants, setPriority } from 'node:os';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin } from '#standin/site.ts';

// A program of its own: a site with a channel that can be fetched. In truth it is on another machine, so that it is last in line
// here, and does not hold up who measures.

setPriority(constants.priority.PRIORITY_LOW);
const channel = aChannel({ name: 'Arriving' });
const { videos = 200 } = JSON.parse(process.argv[2] ?? '{}') as { videos?: number };
// Others each time, as a library that is kept for the next run has those of the last already.
const run = Math.floor(Date.now() / 1000)
  .toString(36)
  .slice(-6);
const arriving = Array.from({ length: videos }, (_, n) =>
  aVideo({ id: `v${run}${String(n).padStart(4, '0')}`, channelId: channel.id }),
);
const standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: arriving }) });
const said = { proxyUrl: standin.proxyUrl, channel: `${channel.handle}/videos`, channelId: channel.id };
console.log(JSON.stringify({ ...said, ids: arriving.map(({ id }) => id) }));
