// Starts all parts of the page. The router follows the parts, since it notifies those of the visible view.

import { startActivity } from "./activity.js";
import { startBoard } from "./board.js";
import { startComposer } from "./composer.js";
import { startConflicts } from "./conflict.js";
import { connect } from "./connection.js";
import { startDialogs } from "./dialogs.js";
import { startDoctor } from "./doctor.js";
import { startHistory } from "./history.js";
import { startMessages } from "./messages.js";
import { startModes } from "./modes.js";
import { startPictures } from "./pictures.js";
import { startPlug } from "./plug.js";
import { startPreviews } from "./previews.js";
import { startRouter } from "./router.js";
import { startScenes } from "./scenes.js";
import { startService } from "./service.js";
import { startTiles } from "./tiles.js";
import { startWrite } from "./write.js";

startDialogs();
startConflicts();
startTiles();
startPreviews();
startComposer();
startMessages();
startModes();
startPlug();
startBoard();
startWrite();
startScenes();
startPictures();
startActivity();
startHistory();
startService();
startDoctor();
startRouter();
connect();
