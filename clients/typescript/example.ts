// Lists the newest unwatched videos: REELKEEP_URL=https://archive.example REELKEEP_TOKEN=… node example.ts
import { createClient } from './index.ts';

const { REELKEEP_URL: url = 'http://localhost:8000', REELKEEP_TOKEN: token = '' } = process.env;
const archive = createClient({ url, token });

const { data, paginate } = await archive.call('GET /api/video/', { query: { watch: 'unwatched', sort: 'downloaded' } });
console.log(`${paginate.total_hits} unwatched videos`);
for (const { youtube_id: id, title, channel } of data) console.log(`${title} (${channel.channel_name}): ${url}/video/${id}/`);
