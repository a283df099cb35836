import { testEveryScreen } from '../every-screen.ts';
import { screens } from '../../../tools/screens/screens.ts';

testEveryScreen('each screen', screens, { areFirst: true });
