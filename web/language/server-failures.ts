import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { failuresSentences } from '#contract/sentences-failures.ts';

// Why something could not be had, and how the archive is. The English is that of the server, and a test compares them.
export const failuresWords: Record<keyof typeof failuresSentences, MessageDescriptor> = {
  'failure.disk-full': msg({ message: 'The disk is full. Make room, then try again; what was fetched so far is kept.' }),
  'failure.robot': msg({
    message:
      'The site asks for a proof that no robot is calling, so it turns this server away. Wait some hours; a longer pause between downloads (under Settings) prevents it.',
  }),
  'failure.address': msg({
    message:
      'The site seems to block the address of this server. Wait some hours, or let downloads go out by another way (REELKEEP_PROXY).',
  }),
  'failure.rate': msg({
    message:
      'The site says that it was asked too often. It lets go by itself, mostly within an hour; a longer pause between downloads prevents it.',
  }),
  'failure.cookie': msg({
    message: 'The site asks for a login, or the stored one has ended. Store a fresh cookie (under Settings).',
  }),
  'failure.members': msg({
    message: 'Only members of the channel may see it. With the cookie of a member (under Settings) it can be fetched.',
  }),
  'failure.age': msg({
    message: 'It is only for grown-ups who are logged in. With the cookie of one (under Settings) it can be fetched.',
  }),
  'failure.private': msg({
    message:
      'It is private. Only whom its owner lets in may see it; with the cookie of one of them (under Settings) it can be fetched.',
  }),
  'failure.paid': msg({ message: 'It has to be paid for, so it cannot be fetched.' }),
  'failure.drm': msg({ message: 'It is protected against copying (DRM), so it cannot be fetched.' }),
  'failure.geo': msg({
    message: 'It may not be seen in the country of this server. Downloads can go out elsewhere (REELKEEP_PROXY).',
  }),
  'failure.not-yet': msg({ message: 'It has not begun yet. It is fetched when it is over.' }),
  'failure.no-recording': msg({ message: 'There is no recording to fetch, now or not yet.' }),
  'failure.closed': msg({ message: 'The account that it belonged to has been closed, and everything with it.' }),
  'failure.copyright': msg({ message: 'It was taken down for copyright. It will hardly come back.' }),
  'failure.rules': msg({ message: 'The site removed it for breaking its rules. It will hardly come back.' }),
  'failure.gone': msg({ message: 'It is not there any more, or never was. Check the link; what is gone cannot be fetched.' }),
  'failure.format': msg({
    message: 'The site does not offer the format that is set. Choose another under Settings, or leave the format empty.',
  }),
  'failure.pieces': msg({ message: 'What arrived could not be put together. Try again; if it stays so, choose another format.' }),
  'failure.link': msg({ message: 'yt-dlp finds no video behind this link. Check it.' }),
  'failure.local': msg({
    message:
      'It leads into the local network, where downloads may not go unless the configuration allows it (REELKEEP_ALLOW_PRIVATE).',
  }),
  'failure.forbidden': msg({
    message: 'The site refused to send the file (403), as it does when a link has grown old. Try again.',
  }),
  'failure.network': msg({
    message: 'The site could not be reached, or the connection broke. Try again; what was fetched so far is kept.',
  }),
  'failure.site': msg({ message: 'The site says that an error occurred. Try again later.' }),
  'failure.ytdlp': msg({
    message: 'yt-dlp does not understand what the site answered: the site has changed. A newer yt-dlp usually mends it.',
  }),
  'failure.no-ytdlp': msg({ message: 'yt-dlp could not be started. Is it still installed?' }),
  'failure.silent': msg({ message: 'Nothing came for ten minutes. Try again; what was fetched so far is kept.' }),
  'failure.slow': msg({ message: 'The site took too long to answer. Try again later.' }),
  'failure.died': msg({
    message: 'yt-dlp died ({signal}), as it does when memory runs out. It is tried again; what was fetched so far is kept.',
  }),
  'failure.no-tab': msg({ message: 'The channel has no {what}.' }),
  'failure.says': msg({ message: 'yt-dlp says: {words}' }),
  'failure.nothing': msg({ message: 'It did not work, and nothing says why. Try again.' }),
  'failure.no-file': msg({ message: 'No file arrived. Try again.' }),
  'failure.live': msg({ message: 'It is live, or has only just ended. It is fetched when it is over.' }),
  'failure.strange': msg({
    message: 'What yt-dlp says of the video cannot be read. Try again; if it stays so, a newer one mends it.',
  }),
  'failure.no-video': msg({
    message: 'What arrived cannot be read as a video. Try again; if it stays so, choose another format.',
  }),
  'failure.nothing-in-it': msg({ message: 'What arrived has neither picture nor sound. Try again.' }),
  'failure.no-picture': msg({ message: 'What arrived has no picture. Try again; if it stays so, choose another format.' }),
  'failure.no-sound': msg({
    message: 'What arrived has no sound, though the site announced some. Try again; if it stays so, choose another format.',
  }),
  'failure.short': msg({ message: 'Only {came} of {announced} arrived. Try again; what is incomplete is not archived.' }),
  'failure.breaks': msg({
    message: 'The file says {long} but breaks off at {at}. Try again; what is incomplete is not archived.',
  }),
  'failure.other': msg({
    message:
      'The site answered with another video ({id}) than the one asked for. Nothing was archived; add that one by its own link if you want it.',
  }),
  'failure.other-added': msg({ message: 'The site answered with another video ({id}); nothing was added.' }),
  'failure.locked': msg({ message: 'The database was held by something else for too long. It is tried again.' }),
  'failure.away': msg({ message: 'The database could not be reached for a moment. It is tried again.' }),
  'failure.unwritable': msg({ message: 'The media folder cannot be written ({code}). Mend that, then try again.' }),
  'failure.ours': msg({ message: 'It could not be archived: {why}' }),
  'failure.no-channel': msg({ message: 'There is no channel behind this link.' }),
  'failure.no-playlist': msg({ message: 'There is no playlist behind this link, or it is empty.' }),
  'failure.whose': msg({ message: 'The site does not say whose video it is.' }),
  'check.ytdlp': msg({ message: 'yt-dlp' }),
  'check.ffmpeg': msg({ message: 'ffmpeg' }),
  'check.database': msg({ message: 'Database' }),
  'check.work': msg({ message: 'Background work' }),
  'check.disk': msg({ message: 'Disk' }),
  'check.folders': msg({ message: 'Folders' }),
  'check.clock': msg({ message: 'Clock' }),
  'check.network': msg({ message: 'Network' }),
  'check.login': msg({ message: 'Login at sites' }),
  'check.sites': msg({ message: 'Sites' }),
  'check.files': msg({ message: 'Files' }),
  'check.copies': msg({ message: 'Last backup and snapshot' }),
  'doctor.no-ytdlp': msg({ message: 'yt-dlp is not there, so nothing can be fetched.' }),
  'doctor.too-old-ytdlp': msg({ message: 'yt-dlp {version} is too old to be used, so nothing can be fetched.' }),
  'doctor.no-ytdlp-do': msg({ message: 'Install it, or let it be brought here (under Settings).' }),
  'doctor.old-ytdlp': msg({ message: 'yt-dlp {version} is {days} days old.' }),
  'doctor.old-ytdlp-do': msg({ message: 'Update it; sites change, and an old one stops understanding them.' }),
  'doctor.ytdlp': msg({ message: 'yt-dlp {version}' }),
  'doctor.ffmpeg': msg({ message: 'ffmpeg {version}' }),
  'doctor.no-ffmpeg': msg({ message: 'ffmpeg is not there, so nothing can be checked or put together.' }),
  'doctor.no-ffmpeg-do': msg({ message: 'Install ffmpeg.' }),
  'doctor.database': msg({ message: 'No damage of the database is known.' }),
  'doctor.database-damaged': msg({ message: 'The database is damaged: {why}' }),
  'doctor.database-do': msg({
    message:
      'Go back to a snapshot or a backup (Settings, Application). What is damaged is kept beside it; media files are not touched.',
  }),
  'doctor.work': msg({ message: 'Background work has begun.' }),
  'doctor.work-not': msg({ message: 'Background work could not begin, and is tried again: {why}' }),
  'doctor.work-not-do': msg({ message: 'Put right what it says. Until then nothing is downloaded and no task runs.' }),
  'doctor.work-soon': msg({ message: 'Background work has not begun yet: what an earlier run left is being put right.' }),
  'doctor.work-soon-do': msg({ message: 'Look again in a minute.' }),
  'doctor.untidy': msg({ message: 'Not everything that an earlier run left could be put right: {what}.' }),
  'doctor.untidy-do': msg({
    message: 'Look at the folders, and into the log, which says why. It is tried again at the next start.',
  }),
  'doctor.misnamed-do': msg({
    message: '{variable} names {path}, which is not there or does not run. Correct it, or take it away.',
  }),
  'doctor.free': msg({ message: '{free} GB are free for media.' }),
  'doctor.bin': msg({ message: 'The bin holds {count} deleted videos ({size}).' }),
  'doctor.bin-one': msg({ message: 'The bin holds 1 deleted video ({size}).' }),
  'doctor.reserve': msg({ message: 'Downloads wait until {reserve} GB are free.' }),
  'doctor.reserve-do': msg({ message: 'Make room, or set less aside (under Settings).' }),
  'doctor.room-do': msg({ message: 'Make room soon.' }),
  'doctor.mount-do': msg({ message: 'Mount its disk; nothing is downloaded, compared or deleted until then.' }),
  'doctor.no-links': msg({ message: '{folder} knows no hard links; files are renamed into place instead.' }),
  'doctor.nothing-do': msg({ message: 'Nothing needs to be done.' }),
  'doctor.unwritable': msg({ message: '{folder} cannot be written: {why}' }),
  'doctor.unwritable-do': msg({ message: 'Let this account write it; it belongs to {who} now.' }),
  'doctor.folders': msg({ message: 'All folders can be written.' }),
  'doctor.no-time': msg({ message: 'Nobody told us the time to compare with.' }),
  'doctor.ahead': msg({ message: 'The clock is {seconds} seconds ahead.' }),
  'doctor.behind': msg({ message: 'The clock is {seconds} seconds behind.' }),
  'doctor.clock-do': msg({ message: "Set it, or switch on the system's time service." }),
  'doctor.clock': msg({ message: 'The clock is right.' }),
  'doctor.online': msg({ message: 'The internet can be reached.' }),
  'doctor.offline': msg({ message: 'The internet cannot be reached: {why}' }),
  'doctor.offline-do': msg({ message: 'Check the connection, or REELKEEP_PROXY.' }),
  'doctor.no-login': msg({ message: 'Downloads are not logged in anywhere.' }),
  'doctor.login-over': msg({ message: 'The stored login has ended.' }),
  'doctor.login-do': msg({ message: 'Store a fresh cookie (under Settings).' }),
  'doctor.login': msg({ message: 'Downloads are logged in.' }),
  'doctor.login-ends': msg({ message: 'The stored login ends in {days} days.' }),
  'doctor.login-soon-do': msg({ message: 'Store a fresh cookie soon (under Settings).' }),
  'doctor.login-holds': msg({ message: 'The stored login holds for {days} days.' }),
  'doctor.sites': msg({ message: 'No site turns us away.' }),
  'doctor.paused': msg({ message: 'Left alone for now: {sites}.' }),
  'doctor.paused-do': msg({ message: 'It goes on by itself. A longer pause between downloads prevents it.' }),
  'doctor.files': msg({ message: 'No damaged file is known.' }),
  'doctor.damaged': msg({ message: '{count} file(s) are damaged or missing.' }),
  'doctor.damaged-do': msg({ message: 'Download them again, or restore them from a copy.' }),
  'doctor.backup-now': msg({ message: 'Last backup less than an hour ago ({name}), looked over when it came.' }),
  'doctor.backup-hours': msg({ message: 'Last backup {hours} hours ago ({name}), looked over when it came.' }),
  'doctor.backup-days': msg({ message: 'Last backup {days} days ago ({name}), looked over when it came.' }),
  'doctor.no-backup': msg({ message: 'There is no backup yet.' }),
  'doctor.snapshot-now': msg({ message: 'Last snapshot less than an hour ago, read again after it was written.' }),
  'doctor.snapshot-hours': msg({ message: 'Last snapshot {hours} hours ago, read again after it was written.' }),
  'doctor.snapshot-days': msg({ message: 'Last snapshot {days} days ago, read again after it was written.' }),
  'doctor.no-snapshot': msg({ message: 'There is no snapshot yet.' }),
  'doctor.snapshots-off': msg({ message: 'Snapshots are switched off.' }),
  'doctor.no-pgdump': msg({
    message: "Snapshots of PostgreSQL need pg_dump, which is not on this machine; PostgreSQL's own tools do it as well.",
  }),
  'doctor.copies-do': msg({
    message: 'Write a backup, or give it a schedule (both under Settings). Keep a copy on another disk.',
  }),
  'doctor.unchecked': msg({ message: 'This could not be checked: {why}' }),
};
