import { create } from 'zustand';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { Template } from '../../../shared/payments/template.ts';
import { amountText } from '../../../shared/money/format-amount.ts';
import { request } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import { useNewPayment } from './new-payment-store.ts';

/** The templates of the active profile. */
type TemplatesState = {
  profileId: string | null;
  templates: readonly Template[];
  problem: AppError | null;
  /** The last removed template, while it can be restored. */
  removed: Template | null;
  read: () => Promise<void>;
  /** True if it was saved; otherwise `problem` is the reason. */
  save: (template: RequestInput<'templates.save'>) => Promise<boolean>;
  remove: (template: Template) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

export const useTemplates = create<TemplatesState>()((set, get) => ({
  profileId: null,
  templates: [],
  problem: null,
  removed: null,
  read: async () => {
    const profileId = activeProfile(useAppState.getState())?.id ?? null;
    if (profileId === null) return;
    const listed = await request('templates.list', { profileId });
    if (listed.ok) set({ profileId, templates: listed.value.templates });
  },
  save: async template => {
    const saved = await request('templates.save', template);
    if (saved.ok) set({ templates: saved.value.templates, problem: null });
    else set({ problem: saved.error });
    return saved.ok;
  },
  remove: async template => {
    const left = await request('templates.remove', { id: template.id });
    if (left.ok) set({ templates: left.value.templates, removed: template, problem: null });
    else set({ problem: left.error });
  },
  undo: async () => {
    const { removed, save } = get();
    if (removed && (await save(removed))) set({ removed: null });
  },
  dismiss: () => set({ problem: null, removed: null }),
}));

/** Fills the form for a new payment from a template; customer details and the order number stay. */
export const applyTemplate = (template: Template, profile: ProfileView, locale: string): void => {
  const form = useNewPayment.getState();
  // A form that was never opened is opened first: its suggestion arrives later and changes nothing else.
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

/** Keeps the templates of the active profile loaded for the lifetime of the window. */
export const followTemplates = (): void => {
  useAppState.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.appState === null) !== (before.appState === null);
    if (isOther) void useTemplates.getState().read();
  });
};
