/** `node test-site/main.ts [--port N] [--demo]`: the test site alone, to try yt-dlp with it. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { demoCatalogue } from './demo.ts';
import { startTestSite } from './site.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, demo: { type: 'boolean', default: false } } });
const media = path.join(import.meta.dirname, '../.tools/demo-media');
const testSite = await startTestSite({ port: Number(values.port), ...(values.demo && { catalogue: demoCatalogue(), media }) });
console.log(`The test site listens at ${testSite.proxyUrl}. For example:

  yt-dlp --ignore-config --proxy ${testSite.proxyUrl} --no-check-certificates https://www.youtube.com/watch?v=coastNight1
`);
