import { describeEngine } from '../../engine-suite.fixture.ts';
import { v8js } from './index.ts';

describeEngine(v8js);
