import { useQuery } from '@tanstack/react-query';
import { IconBroadcast } from '@tabler/icons-react';
import { Link } from 'react-router';
import { countText } from '#web/format/numbers.ts';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { Avatar } from './Avatar.tsx';
import { channelList } from './queries.ts';
import { SubscribeToChannels } from './Subscribe.tsx';
import styles from './Channels.module.css';

const Ghost = () => (
  <ul className={styles.grid} aria-hidden>
    {Array.from({ length: 6 }, (_, place) => (
      <li key={place}>
        <Skeleton height={104} />
      </li>
    ))}
  </ul>
);

/** Every channel the archive has something of. */
export function Channels() {
  useTitle('Channels');
  const [page, setPage] = usePage();
  const isStaff = useIsStaff();
  const query = useQuery(channelList(page));
  return (
    <>
      <h1 className={styles.heading}>Channels</h1>
      {isStaff && <SubscribeToChannels />}
      <Loaded query={query} skeleton={<Ghost />}>
        {({ data, paginate }) =>
          data.length === 0 ? (
            <Empty icon={<IconBroadcast />} title="No channels found…">
              A channel appears here when you subscribe to it, or with the first of its videos.
            </Empty>
          ) : (
            <>
              <ul className={styles.grid}>
                {data.map((channel) => (
                  <li key={channel.channel_id}>
                    <Link to={`/channel/${encodeURIComponent(channel.channel_id)}/`} className={styles.card}>
                      <Avatar channel={channel} size={72} />
                      <span className={styles.words}>
                        <strong>
                          <bdi>{channel.channel_name}</bdi>
                        </strong>
                        {(channel.channel_subs > 0 || channel.channel_subscribed) && (
                          <span>
                            {[
                              channel.channel_subs > 0 && `${countText(channel.channel_subs)} subscribers`,
                              channel.channel_subscribed && 'subscribed',
                            ]
                              .filter(Boolean)
                              .join(' · ')}
                          </span>
                        )}
                        {channel.channel_description && <span className={styles.description}>{channel.channel_description}</span>}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
