import { Eye } from 'lucide-react';
import { useState } from 'react';
import type { DryRun } from '../../../../shared/contract/contract.ts';
import type { ProfileDraft } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/notes.tsx';
import { CodeBlock } from '../../../components/display/code-block.tsx';
import { request } from '../../../ipc-client.ts';
import { useTask } from '../../../forms/form.tsx';
import { useText } from '../../../i18n/text.ts';
import { Assumption } from './assumption.tsx';

/** The exact bytes that the profile in the form would send, and the input of each hash. */
export const DryRunPanel = ({ draft }: { draft: () => ProfileDraft }) => {
  const t = useText();
  const [requests, setRequests] = useState<readonly DryRun[]>([]);
  const { problem, run } = useTask();
  const show = (): Promise<void> => {
    setRequests([]);
    return run(
      'send',
      () => request('profiles.dryRun', { profile: draft() }),
      shown => setRequests(shown.requests),
    );
  };
  return (
    <section className="panel stack" aria-label={t('dry-run.name')}>
      <div className="line spread wrap">
        <p className="small quiet">{t('dry-run.lead')}</p>
        <Button icon={Eye} onPress={() => void show()}>
          {t('dry-run.show')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {requests.map(request => (
        <div key={request.name} className="stack tight">
          <h3 className="line">
            {t(`dry-run.${request.name}`)}
            {request.documented ? (
              <span className="tag">{t('dry-run.documented', { section: request.section })}</span>
            ) : (
              <Assumption section={request.section} />
            )}
          </h3>
          {request.method === null ? null : (
            <p className="small code break">
              {request.method} {request.address}
            </p>
          )}
          {request.body === null ? null : (
            <CodeBlock
              exact
              name={`${t(`dry-run.${request.name}`)}: ${t('dry-run.body')}`}
              text={request.body}
            />
          )}
          <CodeBlock
            exact
            name={`${t(`dry-run.${request.name}`)}: ${t('dry-run.signed')}`}
            text={request.signed}
          />
        </div>
      ))}
    </section>
  );
};
