import { testEveryScreen } from '../every-screen.ts';
import { screens } from '../screens.ts';

testEveryScreen('each screen', screens, { areFirst: true });
