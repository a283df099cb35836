import { Link, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { TeamStanding } from '../../../shared/contract/contract.ts';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';

const marks: Readonly<Record<TeamStanding['state'], string>> = {
  connected: 'on',
  'catching-up': 'on',
  unreachable: 'bad',
  refused: 'bad',
};

/** The state of the shared payment log; nothing for an installation that works alone. */
export const TeamMark = () => {
  const t = useText();
  const team = useAppState(state => state.appState?.team ?? null);
  if (team === null) return null;
  const { state, since: at, waiting: count } = team;
  const isBroken = team.broken.length > 0;
  const text = isBroken
    ? t('team.state.broken')
    : state === 'unreachable'
      ? count > 0
        ? t('team.state.unreachable.waiting', { at, count })
        : t('team.state.unreachable', { at })
      : state === 'catching-up'
        ? t('team.state.catching-up', { count })
        : t(`team.state.${state}`);
  return (
    <TooltipTrigger delay={400}>
      <Link
        className={`health ${isBroken ? 'bad' : marks[state]}`}
        href={hrefOf({ screen: 'settings', section: 'team', id: null })}
      >
        <span className="health-dot" aria-hidden="true" />
        {text}
      </Link>
      <Tooltip className="tooltip" offset={6}>
        {isBroken
          ? t('team.tooltip.broken')
          : state === 'connected'
            ? t('team.tooltip.calm')
            : state === 'catching-up'
              ? t('team.tooltip.catching-up')
              : t('team.tooltip.unreachable')}
      </Tooltip>
    </TooltipTrigger>
  );
};
