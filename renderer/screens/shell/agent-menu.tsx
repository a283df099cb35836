import { Check, DoorOpen, UsersRound } from 'lucide-react';
import { Button, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Keys } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { Initials } from '../../components/display/initials.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { PinForm } from './pin-form.tsx';

/** The agent menu: the signed-in agent, the other agents, and signing out. */
export const AgentMenu = () => {
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
