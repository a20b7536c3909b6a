#!/usr/bin/env node
// `reelkeep <command>`: the administrator commands. In a checkout: `npm run cli -- <command>`, or `npm link` once.
import { fileURLToPath } from 'node:url';
import { cliCommands } from './prepare.mjs';

const usage = `Usage: reelkeep <command> [arguments]

  start                              start the server
  backup                             create a backup
  restore <file or snapshot>         restore a backup or a snapshot (--dry-run shows what would happen)
  import                             import the files of the import folder
  build-view [name]                  build a library view for media servers, or all
  migrate <program> <path>           import from another program (--dry-run shows what would happen)
  move-media --to bucket|folders     move media and images to the S3 bucket, or back
  verify                             check the database for inconsistencies
  health                             check programs, folders, disk, network, database and backups
  healthcheck                        exit with 0 if the server on this machine answers
  user list|add|disable|enable       manage accounts
  sessions clear [name]              sign out one user, or all
  reset-password <name>              set a new password for an account
  rotate-key                         replace the key that encrypts stored secrets
  config                             show the effective configuration

Commands read the same REELKEEP_ variables as the server.`;

const [command, ...args] = process.argv.slice(2);
if (command === undefined || ['help', '--help', '-h'].includes(command)) console.log(usage);
else if (command !== 'start' && !cliCommands.includes(command)) {
  console.error(`Unknown command: ${command}\n\n${usage}`);
  process.exitCode = 64;
} else {
  const start = fileURLToPath(new URL('./start.mjs', import.meta.url));
  process.argv = [process.argv[0], start, ...(command === 'start' ? [] : [`--${command}`]), ...args];
  await import('./start.mjs');
}
