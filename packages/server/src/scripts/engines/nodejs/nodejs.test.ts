import { describeEngine } from '../../engine-suite.fixture.ts';
import { nodejs } from './index.ts';

describeEngine(nodejs);
