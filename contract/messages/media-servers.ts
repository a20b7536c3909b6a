export const mediaServerMessages = {
  'task.sync_media_server': 'Synchronize media server',

  'media-server.none': 'There is no such media server.',
  'media-server.name-taken': 'There already is a media server with this name.',
  'media-server.too-many': 'There already are {count, number} media servers. Remove one first.',
  'media-server.invalid-address':
    'The address must look like http://192.168.1.10:8096 or https://media.example.com, without a user name, query or fragment.',
  'media-server.token-again': 'Enter the token again, because the address was changed.',
  'media-server.folder-not-absolute': 'The folder {folder} is not an absolute path.',
  'media-server.no-view':
    'No library view is in {folder}, and it is in none. Choose the folder of a view, or add a view first in Settings → Library views.',
  'media-server.person': 'There is no such user.',
  'media-server.person-twice': 'Each user here and each user of the server can be chosen only once.',
  'media-server.person-token': '{name} needs a token: without one, Plex uses the watch state of the owner of the server.',
  'media-server.no-consent':
    'This user does not allow the use of the watch state. They can allow it in their settings → Podcasts and share links.',
  'media-server.playlist': 'There is no such playlist.',
  'media-server.token-format': 'A token has only letters, digits and punctuation.',
  'media-server.no-password':
    'Enter the user name and password of Kodi as user:password. They are in the settings of Kodi under “Services → Control”.',
  'media-server.one-person': 'Kodi has a single watch state, so only one user can be assigned.',
  'media-server.no-playlists': 'Other programs cannot create playlists in Kodi. Remove the playlists.',

  'media-server.token-missing': 'The token can no longer be read, because secret.key is another one. Enter it again.',
  'media-server.token': '{server} rejected the token. Create a new one there and enter it here; nothing is sent until then.',
  'media-server.password':
    '{server} rejected the user name or password. Compare them with “Services → Control” in the settings of Kodi and enter them again as user:password; nothing is sent until then.',
  'media-server.kodi-unreachable':
    '{why} Check that Kodi is running, that “Allow remote control via HTTP” is on in its settings under “Services → Control”, and that the address and port are right.',
  'media-server.too-old': 'This is Kodi {version}. Update it to {oldest, number} or newer.',
  'media-server.busy': '{server} has been scanning or cleaning its library for minutes. The request is repeated later.',
  'media-server.call-failed': '{server} refused a request: {why}. Look at its log.',
  'media-server.forbidden': '{server} does not allow this with the token. Use a token of an administrator.',
  'media-server.unreachable': '{why} Check that the server is running and that the address is right.',
  'media-server.certificate':
    '{host} has a certificate that is not trusted. Use a certificate of a known authority, or http in your own network.',
  'media-server.blocked':
    '{address} is this machine or a special-purpose address. Use its address in your network, or allow it with REELKEEP_ALLOW_PRIVATE.',
  'media-server.status': '{server} responded with status {status, number}. Look at its log.',
  'media-server.not-found': '{server} does not know this address. Check its base path.',
  'media-server.redirect': '{server} redirects to another address. Enter that one: {location}',
  'media-server.invalid-response': '{server} sent a response that is not one of {kind}. Check the address.',
  'media-server.too-large': '{server} sent a response that is larger than {megabytes, number} MB.',
  'media-server.other-kind': 'This is a server of {found}, not of {kind}. Remove it and add it as that.',
  'media-server.no-library':
    'No library of the server has a folder in {folders}. Add one there, or correct the folder of the server.',
  'media-server.gave-up': 'No further attempts after {count, number} failures. Test the connection to continue.',

  'media-server.syncing': 'Synchronizing with {name}',
  'media-server.syncing-person': 'Watch states of {person}: {count, number} items',
  'media-server.syncing-playlists': 'Playlists',
  'media-server.synced': '{name}: {here, number} changed here, {there, number} there, {playlists, number} playlists.',
  'media-server.dry-run':
    '{name}: {here, number} would change here, {there, number} there, {playlists, number} playlists. Nothing was changed.',
  'media-server.synced-problems': 'Problems: {count, number}.',
  'media-server.no-persons': 'No users are assigned, so there is nothing to synchronize.',
  'media-server.set-watched': 'Watched',
  'media-server.set-unwatched': 'Not watched',
  'media-server.set-position': 'Position {time}',
  'media-server.set-start': 'Position at the beginning',
  'media-server.item-gone': 'The server no longer has this item.',
  'media-server.write-failed': 'The server did not accept the change: {why}',
  'media-server.many-unwatched':
    'The server reports {count, number} videos as not watched that were watched there. Nothing was changed here, because it may have lost its data. Start the synchronization yourself to accept it, or remove and add the user to merge again.',
  'media-server.playlist-created': 'Created with {count, plural, one {# video} other {# videos}}',
  'media-server.playlist-updated': '{added, number} added, {removed, number} removed, {moved, number} moved',
  'media-server.playlist-renamed': 'Renamed',
  'media-server.playlist-deleted': 'Deleted',
  'media-server.playlist-deleted-there':
    'The playlist was deleted on the server again. Remove it here, or remove and add it to create it once more.',
  'media-server.playlist-person': 'Assign a user first: playlists of the server belong to a user.',
} as const;
