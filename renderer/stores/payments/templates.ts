import { create } from 'zustand';
import type { CallInput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { Template } from '../../../shared/payments/template.ts';
import { amountText } from '../../amount-reading.ts';
import { call } from '../../ipc-client.ts';
import { activeProfile, useDesk } from '../app-state.ts';
import { useNewPayment } from './new-payment.ts';

/** The templates of the profile at work. */
type TemplatesState = {
  profileId: string | null;
  templates: readonly Template[];
  problem: DeskError | null;
  /** The one that was just removed, while it can be brought back. */
  removed: Template | null;
  read: () => Promise<void>;
  /** True when it was saved; `problem` says why not. */
  save: (template: CallInput<'templates.save'>) => Promise<boolean>;
  remove: (template: Template) => Promise<void>;
  undo: () => Promise<void>;
  forget: () => void;
};

export const useTemplates = create<TemplatesState>()((set, get) => ({
  profileId: null,
  templates: [],
  problem: null,
  removed: null,
  read: async () => {
    const profileId = activeProfile(useDesk.getState())?.id ?? null;
    if (profileId === null) return;
    const listed = await call('templates.list', { profileId });
    if (listed.ok) set({ profileId, templates: listed.value.templates });
  },
  save: async template => {
    const saved = await call('templates.save', template);
    if (saved.ok) set({ templates: saved.value.templates, problem: null });
    else set({ problem: saved.error });
    return saved.ok;
  },
  remove: async template => {
    const left = await call('templates.remove', { id: template.id });
    if (left.ok) set({ templates: left.value.templates, removed: template, problem: null });
    else set({ problem: left.error });
  },
  undo: async () => {
    const { removed, save } = get();
    if (removed && (await save(removed))) set({ removed: null });
  },
  forget: () => set({ problem: null, removed: null }),
}));

/** Fills the form for a new payment from a template; what was typed of a customer and the order number stay. */
export const applyTemplate = (template: Template, profile: ProfileView, locale: string): void => {
  const form = useNewPayment.getState();
  // A form that was never opened is opened first: its suggestion comes later and touches nothing else.
  void form.open(profile);
  const methods = template.methods.filter(method => profile.methods.includes(method));
  useNewPayment.setState({
    amount: template.amount === null ? '' : amountText(template.amount, locale),
    currency: template.currency,
    description: template.description,
    methods: methods.length > 0 ? methods : profile.methods,
    problem: null,
    touched: [],
  });
};

/** Keeps the templates those of the profile at work, for the window's life. */
export const followTemplates = (): void => {
  useDesk.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.desk === null) !== (before.desk === null);
    if (isOther) void useTemplates.getState().read();
  });
};
