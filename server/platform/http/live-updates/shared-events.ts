import type { Events } from '../../context/events.ts';
import type { Nodes } from '../../context/nodes.ts';

/** Sends the events of this node to the browsers of all nodes, and those of other nodes to the browsers of this one. */
export function createSharedEvents(local: Events, nodes: Nodes): Events {
  nodes.onMessage((message) => {
    if (message.kind === 'changed') {
      if (message.accountId === undefined) local.announce(...message.topics);
      else local.announceTo(message.accountId, ...message.topics);
    } else if (message.kind === 'player') local.playerChanged(message.accountId, message.change);
    else if (message.kind === 'arrived') local.arrived(message.video);
    else if (message.kind === 'dismiss') local.dismiss(message.accountId);
  });
  return {
    ...local,
    announce(...topics) {
      local.announce(...topics);
      nodes.broadcast({ kind: 'changed', topics });
    },
    announceTo(accountId, ...topics) {
      local.announceTo(accountId, ...topics);
      nodes.broadcast({ kind: 'changed', topics, accountId });
    },
    playerChanged(accountId, change) {
      local.playerChanged(accountId, change);
      nodes.broadcast({ kind: 'player', accountId, change });
    },
    arrived(video) {
      local.arrived(video);
      nodes.broadcast({ kind: 'arrived', video });
    },
    dismiss(accountId) {
      local.dismiss(accountId);
      nodes.broadcast({ kind: 'dismiss', accountId });
    },
  };
}
