import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { SourceProgram, ProgramImportTake } from '#contract/program-import.ts';

interface ProgramTexts {
  name: string;
  /** What it brings. */
  help: MessageDescriptor;
  /** Which file or folder to choose. */
  data: MessageDescriptor;
  /** Its folder inside its container, if it has video files. */
  folder?: string;
}

/** The programs in the order of the page. Their names are not translated. */
export const programs: Record<SourceProgram, ProgramTexts> = {
  pinchflat: {
    name: 'Pinchflat',
    help: msg`Sources with rules and formats, video files, ignored videos`,
    data: msg`The config folder of Pinchflat. With only the file pinchflat.db, the stored metadata is missing.`,
    folder: '/downloads',
  },
  tubesync: {
    name: 'TubeSync',
    help: msg`Sources with rules, video files, skipped videos`,
    data: msg`The config folder of TubeSync, its file db.sqlite3, or the JSON file of “manage.py dumpdata”.`,
    folder: '/downloads',
  },
  youtarr: {
    name: 'Youtarr',
    help: msg`Channels with rules, video files, watched videos, ignored videos`,
    data: msg`A backup archive of Youtarr, an SQL dump of its database, or its folder with jobs/info.`,
    folder: '/usr/src/app/data',
  },
  tubearchivist: {
    name: 'TubeArchivist',
    help: msg`Resume positions and watched videos, while it still runs`,
    data: msg`First restore its backup, or import its files. Then the positions are read from its API.`,
  },
  takeout: {
    name: 'Google Takeout',
    help: msg`Subscriptions, watch history and playlists of a YouTube account`,
    data: msg`The ZIP of Google Takeout, its unpacked folder, or one of its files.`,
  },
  newpipe: {
    name: 'NewPipe',
    help: msg`Subscriptions, history, positions and playlists`,
    data: msg`The ZIP of “Export database”, or the JSON file of the subscriptions.`,
  },
  libretube: {
    name: 'LibreTube',
    help: msg`Subscriptions, history, positions and playlists`,
    data: msg`The JSON file of a backup.`,
  },
  freetube: {
    name: 'FreeTube',
    help: msg`Subscriptions, history, positions and playlists`,
    data: msg`The folder with profiles.db, history.db and playlists.db, or one exported file.`,
  },
  invidious: {
    name: 'Invidious',
    help: msg`Subscriptions, history and playlists`,
    data: msg`The JSON file of “Export data”.`,
  },
  opml: {
    name: 'OPML',
    help: msg`Channel feeds of a feed reader`,
    data: msg`An OPML file.`,
  },
  archive: {
    name: 'yt-dlp archive.txt',
    help: msg`Videos that you have already`,
    data: msg`The file of the option --download-archive.`,
  },
};

export const programNames = Object.keys(programs) as SourceProgram[];

/** Names and explanations of the kinds of data. */
export const takes: Record<ProgramImportTake, { label: MessageDescriptor; help: MessageDescriptor }> = {
  subscriptions: {
    label: msg`Subscriptions`,
    help: msg`Only new uploads are added, not the older videos.`,
  },
  rules: { label: msg`Rules and formats`, help: msg`What is set here already stays.` },
  videos: {
    label: msg`Video files`,
    help: msg`Linked into the archive, or copied between disks. The originals stay unchanged.`,
  },
  queue: { label: msg`Videos for the queue`, help: msg`They wait there until you start them.` },
  ignored: { label: msg`Ignore list`, help: msg`These videos are not downloaded again.` },
  have: {
    label: msg`Videos seen before`,
    help: msg`Scans skip them, but they are not on the ignore list.`,
  },
  watched: { label: msg`Watch history`, help: msg`Only for videos in the archive that you have not started here.` },
  playlists: { label: msg`Playlists`, help: msg`As custom playlists that only you see.` },
};

/** Kinds of data that are chosen from the start. The others add much that the user may not expect. */
export const isChosenFirst = (take: ProgramImportTake) => take !== 'queue' && take !== 'have';
