/** Client of parley, the conversation testing server. Needs only Node 18 or later. */
export {Client, ParleyError, Unreachable} from "./client.js";
export type {Agent, ClientOptions, Created, NewResult, NewTest, Run, Scenario, Test, TestResult} from "./client.js";
export {Conversation} from "./conversation.js";
export type {ToolCall, Turn} from "./conversation.js";
export {outcomeOf} from "./outcome.js";
export type {Outcome} from "./outcome.js";
export {startServer} from "./server.js";
export type {RunningServer} from "./server.js";
export {play} from "./play.js";
export type {Answer, Answering} from "./play.js";
