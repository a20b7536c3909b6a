import { searchMessages } from '#contract/messages/search.ts';
import type { MomentsReply } from '#web/api/queries/search.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import styles from './SearchPage.module.css';

const english: Partial<Record<string, string>> = searchMessages;

/** Says which texts were left out of the search. */
export const Notices = ({ notices }: Pick<MomentsReply, 'notices'>) =>
  notices.map((notice) => (
    <p key={notice.id} className={styles.notice}>
      <TextWithLinks text={messageText([notice], english[notice.id] ?? '')} />
    </p>
  ));
