import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import { ApiToken } from './ApiToken.tsx';
import { Look } from './Look.tsx';
import { NamedTokens } from './NamedTokens.tsx';
import { Password } from './Password.tsx';
import { Sessions } from './Sessions.tsx';
import styles from './Settings.module.css';

/** What a person chooses for themselves, and what lets them in. */
export function Preferences() {
  const config = useConfig();
  if (!config) return <Skeleton height={400} />;
  return (
    <div className={styles.cards}>
      <Look config={config} />
      <Password />
      <Sessions />
      <NamedTokens />
      <ApiToken />
    </div>
  );
}
