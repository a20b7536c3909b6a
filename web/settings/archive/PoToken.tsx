import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useShowHelp } from '#web/api/account.ts';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';

const key = ['settings', 'potoken'];
// Prefix of every token, prefilled.
const prefix = 'web+';

/** Proof-of-origin token that yt-dlp sends to YouTube. `isStored`: the setting that storing a token turns on. */
export function PoToken({ isStored }: { isStored: boolean }) {
  const { t } = useLingui();
  const withHelp = useShowHelp();
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('GET /api/appsettings/potoken/', { signal }),
    enabled: isStored,
  });
  const saved = (isStored && data?.potoken) || '';
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const save = (potoken: string) =>
    (potoken === ''
      ? call('DELETE /api/appsettings/potoken/', {})
      : call('POST /api/appsettings/potoken/', { body: { potoken }, keepalive: true })
    ).finally(refresh);
  return (
    <FieldAnchor id="po-token">
      <AutoSaveField
        label={t`PO token`}
        help={withHelp ? t`In yt-dlp’s format, for example web.gvs+TOKEN.` : undefined}
        placeholder={saved}
        // The server returns the token masked: it can be replaced but not edited.
        isSecret
        saved=""
        format={() => (saved ? '' : prefix)}
        parse={(text) => (text.trim() === prefix ? '' : text.trim())}
        save={save}
        reset={saved ? '' : undefined}
        spellCheck={false}
        autoComplete="off"
      />
      {error && <Callout kind="danger">{error.message}</Callout>}
    </FieldAnchor>
  );
}
