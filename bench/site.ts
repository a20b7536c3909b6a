import { constants, setPriority } from 'node:os';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin } from '#standin/site.ts';

// A program of its own: a site with a channel that can be fetched. In truth it is on another machine, so that it is last in line
// here, and does not hold up who measures.

setPriority(constants.priority.PRIORITY_LOW);
const channel = aChannel({ name: 'Arriving' });
const arriving = Array.from({ length: 200 }, (_, n) =>
  aVideo({ id: `arrive${String(n).padStart(5, '0')}`, channelId: channel.id }),
);
const standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: arriving }) });
console.log(JSON.stringify({ proxyUrl: standin.proxyUrl, channel: `${channel.handle}/videos` }));
