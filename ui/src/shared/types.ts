/** The types of the API that the page reads, with only the fields that it uses; the reference has all fields. */
export interface Link { id: string; name: string; type?: string; status?: string }
export interface Page<T> { data: T[]; total: number; page: number; limit: number }
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Session { user: Link & { role?: string }; right: 'read' | 'write' | 'admin'; expiresAt: string; page?: string }

export interface Averages { responseTime: number | null; inputTokens: number | null; outputTokens: number | null; cost: number | null }
export interface Interval { low: number; high: number }
export interface RunResult {
  score: number | null; passRate: number | null; total: number; pending: number; running: number; completed: number; failed: number;
  canceled: number; passed: number; notPassed: number; undecided: number; coverage: number; interval: Interval; bounds: Interval;
  averages: Averages; flaky: Link[]; firstAttempts: { passRate: number | null; total: number; passed: number; notPassed: number };
  retries: { total: number }; passK: { k: number; tests: number; passAtK: number; passHatK: number }[];
}
export type RunStatus = 'new' | 'pending' | 'running' | 'completed' | 'failed' | 'canceled';
export interface Run {
  id: string; createdAt: string; updatedAt: string; scenario: Link; agent: Link; status: RunStatus; result: Partial<RunResult>;
  personality: Link | null; testConfigs: { test: Link | string; personality?: Link | string | null; repetitions?: number }[];
  repetitions: number; maxConcurrentTests: number; createdBy: Link | null; runGroup: Link | null; scheduledRun: Link | null;
  isArchived: boolean; hallucinationStatus: string | null; seed?: number; name?: string;
  usage?: Partial<Record<'agent' | 'tester' | 'judge', { calls: number; cost: number | null }>>;
}
export interface Quote { entry: string; at: string; text: string; nth: number }
export interface Assertion {
  id: string; name: string | null; type: string; criteria: string; severity: Severity; weight: number; config: JsonObject;
}
export type Severity = 'BLOCKER' | 'MAJOR' | 'MINOR';
export type AssertionStatus = 'pending' | 'passed' | 'failed' | 'skipped' | 'error';
export interface AssertionResult extends Assertion {
  status: AssertionStatus; passed: boolean | null; reason: string | null; evidence: string[]; quotes?: Quote[];
  judge?: { model: string; inputTokens: number; outputTokens: number; cost: number } | null;
}
export interface Entry {
  id: string; type: 'message' | 'tool' | 'internal-event' | 'public-event' | 'action'; role: 'tester' | 'chatbot'; content: string | null;
  name: string | null; metadata: JsonObject | null; createdAt: string; turn: number; number?: number; inserted?: boolean;
}
export interface Usage { model: string; calls: number; repeated: number; inputTokens: number; outputTokens: number; cost: number }
export interface Claim { text: string; entry: string; kind: string; source: string | null; supported: boolean }
export interface Review { valid: boolean; faultSource: string | null; reason: string; evidence: string[]; by: string }
export interface ResultHead {
  id: string; createdAt: string; updatedAt: string; test: Link | null; run: Link | null; agent: Link; personality: Link | null;
  status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled'; state?: string; isEnded: boolean; endReason: string | null; completionMode: string;
  scoringEnqueuedAt: string | null; assertionResults: AssertionResult[]; overallPassed: boolean; score: number; metadata: JsonObject;
  isManual: boolean; claims: Claim[]; review: Review | null; externalLinks: { url?: string; name?: string }[]; testInstruction: string;
  retiredBy: string | null; averages: Averages; usage?: { tester?: Usage; judge?: Usage }; sourceConversationLog: Link | null;
  entries?: number; conversation?: Entry[];
}
export interface Scenario {
  id: string; createdAt: string; updatedAt: string; name: string; description: string; agents: Link[]; folders: Link[]; fields: JsonObject;
  configuration: Link | null; isArchived: boolean; createdBy: Link | null; baselines?: Record<string, string>;
}
export interface Test {
  id: string; createdAt: string; updatedAt: string; name: string; description: string; instruction: string; assertions: Assertion[];
  scenario: Link; isEnabled: boolean; isArchived: boolean; parentTest: string | null; fields: JsonObject; sourceConversationLog: Link | null;
  metadata?: JsonObject; managedBy?: string; tags?: string[];
}
export interface Agent {
  id: string; createdAt: string; updatedAt: string; name: string; type: string; config: JsonObject; metadata: JsonObject;
  secrets: Record<string, string>; owner: Link | null; isEnabled: boolean; isArchived: boolean; lastSeenAt?: string | null; project?: string;
}
export interface CellTest { test: Link | string | null; personality: Link | string | null; expected: number; line?: number | string | null }
/** Columns of the cells of a run (GET /runs/{id}/cells). */
export interface Cells {
  rev: number; tests: CellTest[]; row: number[]; n: number[]; id: (string | null)[]; state: string; score: (number | null)[];
  turns: (number | null)[]; time: (number | null)[]; usd: (number | null)[]; group: (string | number | null)[]; attempt: (number | null)[];
  groups?: string[];
}
export interface FailureGroup {
  signature: string; kind: 'verdict' | 'undecided' | 'fault'; assertion: { id: string; name: string; type: string; severity: Severity } | null;
  source: string | null; code: string | null; says: string; reasons?: string[]; count: number; tests: { id: string; name: string; count: number }[];
  results: string[]; firstSeen: { run: string; at: string } | null; runsBefore: [number, number] | null; note: string | null;
}
