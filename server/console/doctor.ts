import type { Check } from '#contract/doctor.ts';
import type { Archive } from '../archive.ts';
import { damageIn } from '../backup/damage.ts';
import type { Config } from '../config.ts';
import { databaseFile } from '../data-folder.ts';
import { holdIfFree } from '../hold.ts';
import { findFfmpeg } from '../media/ffmpeg.ts';
import { openGateOf } from '../open-archive.ts';
import { examine } from '../service/doctor.ts';
import { noTools, toolsFolderOf } from '../tools.ts';
import { noTroubles } from '../troubles.ts';
import { findYtdlp } from '../ytdlp/program.ts';
import { byHand, onArchive, secondsNow } from './by-hand.ts';

// `npm run doctor`: what Settings, Health shows, for whoever cannot get there: programs, folders, disk, network, database, copies, each
// with what mends it. Beside the program or without it. Ends with 1 when something is wrong.

const signs = { good: '✓', warn: '!', bad: '✗' };
const linesOf = ({ state, title, says, do: what, command }: Check) =>
  [`${signs[state]} ${title}: ${says}`, ...[what, command].flatMap((line) => (line ? [`    ${line}`] : []))].join('\n');

async function toolsOf(config: Config, gate: Archive['tools']['gate']): Promise<Archive['tools']> {
  const tools = noTools(gate);
  tools.ytdlp = await findYtdlp(config.ytdlpPath, toolsFolderOf({ config }), (program) => (tools.tooOldYtdlp = program));
  tools.ffmpeg = await findFfmpeg(config.ffmpegPath);
  return tools;
}

async function look(config: Config, db: Archive['db']): Promise<Check[]> {
  const damage = config.databaseUrl ? null : await damageIn(databaseFile(config));
  const gate = await openGateOf(config);
  try {
    const troubles = { ...noTroubles(), damage };
    // As much of an archive as is looked at.
    const part: Pick<Archive, 'config' | 'db' | 'now' | 'tools' | 'troubles'> = {
      config,
      db,
      now: secondsNow,
      tools: await toolsOf(config, gate),
      troubles,
    };
    // How work in the background goes, only the program itself knows.
    return (await examine(part as Archive)).filter(({ name }) => name !== 'work');
  } finally {
    await gate.close();
  }
}

await byHand((config) =>
  onArchive(
    config,
    'doctor',
    async (db) => {
      const checks = await look(config, db);
      const held = await holdIfFree(config);
      console.log(held ? '! Program: it does not run on this archive.' : '✓ Program: it runs on this archive.');
      await held?.release();
      for (const check of checks) console.log(linesOf(check));
      process.exitCode = checks.some(({ state }) => state === 'bad') ? 1 : 0;
    },
    { readOnly: true },
  ),
);
