import {
  Check,
  CircleQuestionMark,
  DoorOpen,
  Footprints,
  Info,
  Keyboard,
  Lock,
  Printer,
  UsersRound,
} from 'lucide-react';
import {
  Link,
  Tooltip,
  TooltipTrigger,
  Button,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { IconButton, Keys } from '../../components/controls/button.tsx';
import { hrefOf } from '../../routes.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { AlertsButton } from '../alerts/alerts-on-demand.ts';
import { SearchBox } from '../search/search-box.tsx';
import type { TeamStanding } from '../../../shared/contract/contract.ts';
import { Truncate } from '../../components/display/values.tsx';
import { Initials } from '../../components/display/marks.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { go } from '../../stores/route-store.ts';
import { PinForm } from './locked-window.tsx';
import { ActionMenu } from '../../components/controls/action-menu.tsx';
import { openGuide } from '../../queries/guide.ts';

/** Help: the shortcuts, the guided start, and information about the product. */
const HelpMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText();
  return (
    <ActionMenu
      label={t('help.name')}
      icon={CircleQuestionMark}
      className="quiet"
      actions={[
        { id: 'shortcuts', name: t('shortcuts.name'), icon: Keyboard, act: onShortcuts },
        { id: 'guide', name: t('guide.name'), icon: Footprints, act: openGuide },
        {
          id: 'about',
          name: t('settings.about'),
          icon: Info,
          act: () => go({ screen: 'settings', section: 'about', id: null }),
        },
      ]}
    />
  );
};

/** The agent menu: the signed-in agent, the other agents, and signing out. */
const AgentMenu = () => {
  const t = useText();
  const agents = useAppState(state => state.appState?.agents ?? []);
  const agentId = useAppState(state => state.appState?.agentId ?? '');
  const name = useAppState(state => state.appState?.settings.agent ?? '');
  const { pinRequestedFor, requestPin, choose, signOut } = useAgents();
  const asked = agents.find(agent => agent.id === pinRequestedFor);
  const take = (id: string): void => {
    if (id === agentId) return;
    const agent = agents.find(one => one.id === id);
    if (agent?.hasPin) requestPin(id);
    else void choose(id, null);
  };
  return (
    <>
      <MenuTrigger>
        <Button className="button quiet agent">
          <span className="out-of-sight">{t('agent.signed-in.label')} </span>
          <Initials name={name} />
          <Truncate className="agent-name" text={name} />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label={t('agent.name')}>
            <MenuSection aria-label={t('agent.name')}>
              {agents.map(agent => (
                <MenuItem
                  key={agent.id}
                  id={agent.id}
                  className="menu-item"
                  textValue={agent.name}
                  onAction={() => take(agent.id)}
                >
                  <Initials name={agent.name} />
                  <Truncate text={agent.name} />
                  {agent.id === agentId ? (
                    <>
                      <Check size={14} aria-hidden="true" />
                      <span className="out-of-sight">{t('agent.signed-in')}</span>
                    </>
                  ) : null}
                </MenuItem>
              ))}
            </MenuSection>
            <Separator className="menu-line" />
            <MenuItem id="note" className="menu-item" onAction={() => go({ screen: 'handover-note' })}>
              <Printer size={16} aria-hidden="true" />
              {t('nav.handover-note')}
            </MenuItem>
            <MenuItem id="leave" className="menu-item" onAction={() => void signOut()}>
              <DoorOpen size={16} aria-hidden="true" />
              {t('agent.lock')}
              <Keys keys="Ctrl Shift L" />
            </MenuItem>
            <MenuItem
              id="manage"
              className="menu-item"
              onAction={() => go({ screen: 'settings', section: 'people', id: null })}
            >
              <UsersRound size={16} aria-hidden="true" />
              {t('agent.manage')}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <Sheet title={t('pin.title')} isOpen={asked !== undefined} onClose={() => requestPin(null)}>
        {asked ? <PinForm id={asked.id} name={asked.name} /> : null}
      </Sheet>
    </>
  );
};

/** How far the list of payments is while it is made; nothing once it is whole. */
const ListMark = () => {
  const t = useText();
  const list = useAppState(state => state.appState?.log.list ?? null);
  if (list === null || list.progress.done >= list.progress.total) return null;
  return (
    <TooltipTrigger delay={400}>
      <Button className="health off">
        <span className="health-dot" aria-hidden="true" />
        <output>{t('list.making', list.progress)}</output>
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {list.remade ? t('list.remade', { at: list.remade.at }) : t('list.making.title')}
      </Tooltip>
    </TooltipTrigger>
  );
};

const marks: Readonly<Record<TeamStanding['state'], string>> = {
  connected: 'on',
  'catching-up': 'on',
  unreachable: 'bad',
  refused: 'bad',
};

/** The state of the shared payment log; nothing for an installation that works alone. */
const TeamMark = () => {
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

const healthTexts = { on: 'receiver.on', off: 'receiver.off', bad: 'receiver.bad' } as const;

/** Search, help, and the signed-in agent. */
export const TopBar = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText();
  const signOut = useAgents(state => state.signOut);
  const receiver = useAppState(state => state.appState?.receiver ?? null);
  const health =
    receiver === null ? 'off' : receiver.problem !== null ? 'bad' : receiver.listening ? 'on' : 'off';
  return (
    <header className="top-bar line-below">
      <div className="top-bar-in line">
        <SearchBox onShortcuts={onShortcuts} />
        <span className="push" />
        <TooltipTrigger delay={400}>
          <Link
            className={`health ${health}`}
            href={hrefOf({ screen: 'settings', section: 'receiver', id: null })}
          >
            <span className="health-dot" aria-hidden="true" />
            {t(healthTexts[health])}
          </Link>
          <Tooltip className="tooltip" offset={6}>
            {t('receiver.tooltip')}
          </Tooltip>
        </TooltipTrigger>
        <ListMark />
        <TeamMark />
        <AlertsButton />
        <HelpMenu onShortcuts={onShortcuts} />
        <AgentMenu />
        <IconButton name={t('agent.lock')} icon={Lock} onPress={() => void signOut()} />
      </div>
    </header>
  );
};
