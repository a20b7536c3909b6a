import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { refusalsSentences } from '#contract/sentences-refusals.ts';

// What is refused, and why. The English is that of the server, and a test compares them.
export const refusalsWords: Record<keyof typeof refusalsSentences, MessageDescriptor> = {
  'no.credentials': msg({ message: 'Invalid credentials' }),
  'no.session': msg({ message: 'Authentication credentials were not provided.' }),
  'no.permission': msg({ message: 'You do not have permission to perform this action.' }),
  'no.permission-token': msg({ message: 'You do not have permission to perform this action with a token.' }),
  'no.switched-off': msg({ message: 'This account is switched off. Ask whoever runs this archive.' }),
  'no.many-logins': msg({ message: 'Too many people log in at this moment; try again in a few seconds.' }),
  'no.wrong-passwords': msg({ message: 'Too many wrong passwords; try again in {minutes} minutes.' }),
  'no.present-password': msg({ message: 'That is not your present password.' }),
  'no.password-proxy': msg({ message: 'You have no password here: a proxy logs you in. Change the one that you use there.' }),
  'no.password-provider': msg({
    message: 'You have no password here: you log in at the OpenID provider. Change the one that you use there.',
  }),
  'no.password-directory': msg({
    message: 'The password that you log in with is that of the directory (LDAP). Change it there.',
  }),
  'no.password-none': msg({ message: 'You have no password here. Staff can give you one (Settings, People).' }),
  'no.made-password': msg({
    message: 'This password was made for you. Choose one of your own, which you log in with from then on.',
  }),
  'no.same-password': msg({ message: 'Choose another password than the one that was made for you.' }),
  'no.weak-password': msg({
    message: 'That password is among the first that anybody tries. Take one of several words that do not belong together.',
  }),
  'no.of-provider': msg({
    message: 'The account called {name} is of somebody who logs in at the OpenID provider. Log in there.',
  }),
  'no.own-password': msg({ message: 'Change your own password on your own page.' }),
  'no.name-taken': msg({ message: 'There is somebody called {name} already.' }),
  'no.own-rights': msg({ message: 'Your own rights are changed by somebody else who is staff.' }),
  'no.own-account': msg({ message: 'Your own account is deleted by somebody else who is staff.' }),
  'no.last-staff': msg({
    message: 'This is the last staff account that can log in; somebody must be able to look after the archive.',
  }),
  'no.lists': msg({ message: 'You have {count} smart lists; delete one that you do not look at any more.' }),
  'no.list-owner': msg({ message: 'Only who made a smart list changes it.' }),
  'no.tokens': msg({ message: 'You have {count} tokens; revoke one that nobody needs any more.' }),
  'no.requests': msg({ message: 'Too many requests from your address. Wait a few seconds.' }),
  'no.streams': msg({ message: 'Too many files are being sent at this moment; try again when one of them is over.' }),
  'no.pages': msg({ message: 'Too many open pages listen for changes; this one asks from time to time instead.' }),
  'no.search-slow': msg({ message: 'That search took too long and was given up. Look for rarer words, or for more of them.' }),
  'no.search-many': msg({ message: 'Many people are searching just now. Try again in a moment.' }),
  'no.search-many-own': msg({ message: 'Many of your searches are waiting already. Try again in a moment.' }),
  'no.search-old': msg({ message: 'You have searched for something else meanwhile.' }),
  'no.busy': msg({ message: 'The database is busy with something else. Try again in a moment.' }),
  'no.away': msg({
    message: 'The database cannot be reached just now. It is tried again by itself; try again in a moment.',
  }),
  'no.full': msg({
    message: 'The disk of the data folder is full, so nothing can be kept. Make room; what is there can be watched meanwhile.',
  }),
  'no.database': msg({ message: 'The database cannot be used; the log says why.' }),
  'no.writing': msg({
    message: 'The data folder cannot be written, so nothing can be kept. What is there can be watched meanwhile.',
  }),
  'no.work': msg({ message: 'Background work could not begin and is tried again; Settings, Health says why.' }),
  'no.deleted-meanwhile': msg({ message: 'What this is about was deleted just now.' }),
  'no.sound-database': msg({ message: 'The database is damaged; Settings, Health says what to do.' }),
  'no.sound-part': msg({
    message:
      'This part of the database is damaged. Settings, Health says what to do; what can still be read can be watched meanwhile.',
  }),
  'no.fault': msg({ message: 'Something went wrong on our side; the log says what, under {id}.' }),
  'no.restoring': msg({
    message: 'The archive is being restored, so nothing can be changed just now. Watching goes on; try again in a few minutes.',
  }),
  'no.restore-runs': msg({ message: 'Something is being restored already. Wait for its end.' }),
  'no.backup-runs': msg({ message: 'A backup is being written already.' }),
  'no.pgdump': msg({
    message: "There is no pg_dump on this machine. Take snapshots with PostgreSQL's own tools, or write a backup.",
  }),
  'no.upload-room': msg({ message: 'Only {free} MB are free for it. Make room, then try again.' }),
  'no.disk': msg({ message: 'The disk is full. Make room, then try again.' }),
  'no.large': msg({ message: 'The body is larger than 1 MB.' }),
  'no.ended': msg({ message: 'The task has ended already.' }),
  'no.ytdlp-ours': msg({
    message: 'This yt-dlp is not kept up to date by us: it was configured, belongs to the machine, or updates are off.',
  }),
  'no.ytdlp-earlier': msg({ message: 'There is no earlier yt-dlp to go back to.' }),
  'no.schedule-fields': msg({ message: 'expected three cron schedule fields' }),
  'no.schedule': msg({ message: 'invalid crontab: {text}' }),
  'no.minutes': msg({ message: 'Invalid minutes. Must be between 0 and 59.' }),
  'no.minutes-number': msg({ message: 'Invalid value for minutes. Must be an integer.' }),
  'no.number': msg({ message: '{key} must be a whole number from {min} to {max}.' }),
  'no.expression': msg({ message: 'The expression {text} is not understood: {why}' }),
  'no.lengths': msg({
    message: 'Nothing is at least as long as that and no longer than this, so nothing would be wanted. Change one of the two.',
  }),
  'no.video': msg({ message: 'video not found' }),
  'no.channel': msg({ message: 'channel not found' }),
  'no.playlist': msg({ message: 'playlist not found' }),
  'no.source': msg({ message: 'video, channel or playlist not found' }),
  'no.smart-list': msg({ message: 'smart list not found' }),
  'no.person': msg({ message: 'person not found' }),
  'no.run': msg({ message: 'run not found' }),
  'no.file': msg({ message: 'file not found' }),
  'no.track': msg({ message: 'audio track not found' }),
  'no.sounds': msg({ message: 'Too many sounds are being made ready just now. Try again in a moment.' }),
  'no.snapshot': msg({ message: 'snapshot not found' }),
  'no.path': msg({ message: 'path not found' }),
  'no.item': msg({ message: 'Download item not found' }),
  'no.words': msg({ message: 'There is nothing to look for in that search, so nothing was changed.' }),
  'no.app': msg({ message: 'The web app has not been built; npm start builds it.' }),
  'no.directory': msg({ message: 'The directory of people (LDAP) cannot be asked just now; the log says why.' }),
  'bin.video': msg({ message: 'video in the bin not found' }),
  'bin.again': msg({
    message: 'It was downloaded again meanwhile, and that one is not overwritten. Delete it first if you want this one.',
  }),
  'bin.coming': msg({ message: 'It is being downloaded again just now. Take it from the queue first if you want this one.' }),
  'bin.file': msg({
    message: 'Another file stands at {path} now. Nothing is overwritten: move that one away, then put this back.',
  }),
  'bin.taken': msg({ message: 'Another video has its file at {path} now.' }),
  'no.matching': msg({ message: '{count} videos match by now, and not {named}. Nothing was deleted.' }),
  'undo.late': msg({ message: 'It is too late to take that back.' }),
  'no.provider': msg({ message: 'The page for logging in cannot be reached just now. Try again in a minute.' }),
  'prove.password': msg({
    message:
      'This changes who may come in. Prove that it is you: send your password, percent-encoded, in the header X-Reelkeep-Confirm.',
  }),
  'prove.login': msg({
    message: 'This changes who may come in. Prove that it is you: log in again, and then do this within ten minutes.',
  }),
  'confirm.password': msg({
    message:
      'This deletes {videos} videos ({size} GB) at once. Confirm it: send your password, percent-encoded, in the header X-Reelkeep-Confirm.',
  }),
  'confirm.number': msg({
    message: 'This deletes {videos} videos ({size} GB) at once. Confirm it: send that number in the header X-Reelkeep-Confirm.',
  }),
  'confirm.token': msg({
    message: 'This token deletes very much: no more than 100 videos or 100 GB in an hour. Wait {minutes} minutes.',
  }),
  'no.cookie': msg({ message: '[cookie]: import failed, not valid' }),
};
