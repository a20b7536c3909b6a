/** `node standin/main.ts [--port N] [--demo]`: the stand-in alone, to try yt-dlp against. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { demoCatalogue } from './demo.ts';
import { startStandin } from './site.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, demo: { type: 'boolean', default: false } } });
const media = path.join(import.meta.dirname, '../.tools/demo-media');
const standin = await startStandin({ port: Number(values.port), ...(values.demo && { catalogue: demoCatalogue(), media }) });
console.log(`The stand-in listens at ${standin.proxyUrl}. For example:

  yt-dlp --ignore-config --proxy ${standin.proxyUrl} --no-check-certificates https://www.youtube.com/watch?v=coastNight1
`);
