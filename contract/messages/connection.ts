/** Why a server that staff or the configuration names was not reached. */
export const connectionMessages = {
  'connection.refused': '{host} refused the connection.',
  'connection.reset': '{host} closed the connection.',
  'connection.not-found': '{host} was not found.',
  'connection.lookup': '{host} could not be looked up.',
  'connection.unreachable': '{host} cannot be reached.',
  'connection.timeout': '{host} did not respond in time.',
  'connection.certificate-expired': '{host} has a certificate that has expired.',
  'connection.certificate-name': '{host} has a certificate for another name.',
  'connection.tls': '{host} could not establish an encrypted connection.',
  'connection.failed': 'The connection to {host} failed.',
  'connection.blocked': '{address} is this server or a special-purpose address. Requests to it are blocked.',
  'connection.scheme': 'Only http and https URLs can be called.',
} as const;
