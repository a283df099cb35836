import type { TeamStanding } from '../../../../shared/contract/contract.ts';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useText } from '../../../i18n/text.ts';
import { sharingPlanQuery } from '../../../queries/settings.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { useWhoElse } from '../../../use-rights.ts';
import { SharingForm } from './sharing-form.tsx';

/** The step of an installation that still has its own people and profiles. */
const SharingStep = ({ isReachable }: { isReachable: boolean }) => {
  const t = useText();
  const others = useWhoElse({ request: 'team.plan' });
  const canRead = isReachable && others === null;
  const { value: plan, problem } = sharingPlanQuery.use(
    // A plan stays while the server cannot be reached.
    canRead || (others === null && sharingPlanQuery.get('plan').value !== null) ? 'plan' : null,
  );
  return (
    <>
      <p className="small measure">{t('sharing.text')}</p>
      {others === null ? null : <p className="small muted">{t('agents.ask', { names: others })}</p>}
      {canRead || plan || others !== null ? null : (
        <p className="small muted measure">{t('sharing.waiting')}</p>
      )}
      {problem ? <ErrorNote error={problem} /> : null}
      {plan && others === null ? <SharingForm plan={plan} /> : null}
    </>
  );
};

/** Whether this installation has people and profiles in common with its team, and the way there. */
export const SharingSection = ({ team }: { team: TeamStanding }) => {
  const t = useText();
  const sharing = useAppState(state => state.appState?.sharing ?? null);
  return (
    <section className="panel stack" aria-label={t('sharing.title')}>
      <h2>{t('sharing.title')}</h2>
      {sharing === null ? (
        <SharingStep isReachable={team.state === 'connected' || team.state === 'catching-up'} />
      ) : (
        <>
          {sharing.isPending && !sharing.arePeopleShared ? null : (
            <p className="small measure">
              {t(sharing.arePeopleShared ? 'sharing.on' : 'sharing.on.profiles')}
            </p>
          )}
          {sharing.isPending ? <Note>{t('sharing.pending')}</Note> : null}
        </>
      )}
    </section>
  );
};
