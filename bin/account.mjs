// Where this is started as root, as containers do, files are to belong to the account that people name: PUID and PGID, or
// HOST_UID and HOST_GID as the original program calls them.
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { giveUp } from './node.mjs';

function numberIn(...names) {
  const name = names.find((one) => process.env[one]);
  if (!name) return undefined;
  const text = process.env[name];
  if (!/^\d{1,10}$/.test(text) || Number(text) > 4_294_967_294) giveUp(`${name} is ${text}, which is no number of an account.`);
  return Number(text);
}

function foldersOfOurs() {
  const { env } = process;
  const data = resolve(env.REELKEEP_DATA || 'data');
  return [
    data,
    env.REELKEEP_MEDIA || env.TA_MEDIA_DIR || join(data, 'media'),
    env.REELKEEP_CACHE || env.TA_CACHE_DIR || join(data, 'cache'),
  ];
}

/** Gives a folder that is root's to the account, and nothing that is in it: of a large library that would take hours. */
function handOver(folder, uid, gid) {
  try {
    mkdirSync(folder, { recursive: true });
    if (statSync(folder).uid === 0) chownSync(folder, uid, gid);
  } catch (error) {
    console.warn(
      `${folder} could not be given to the account ${uid}: ${error.message}. Should it not be writable, the program says so.`,
    );
  }
}

/** Goes on as that account, for good. Does nothing where none is named, or this is no root. */
export function becomeAccount() {
  if (process.getuid?.() !== 0) return;
  const uid = numberIn('PUID', 'HOST_UID');
  if (!uid) return;
  const gid = numberIn('PGID', 'HOST_GID') ?? uid;
  for (const folder of foldersOfOurs()) handOver(folder, uid, gid);
  try {
    process.setgroups([]);
    process.setgid(gid);
    process.setuid(uid);
  } catch (error) {
    giveUp(
      `This could not go on as the account ${uid} (PUID): ${error.message}. In a container that needs cap_add: [SETUID, SETGID, CHOWN]; or say user: "${uid}:${gid}" instead.`,
    );
  }
}
