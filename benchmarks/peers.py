"""What others needed for the same job in an earlier side-by-side run: given, not measured by these scripts."""

PEERS = """
Others on the same job (given figures of an earlier run on a machine with 2 CPUs; not measured here):
| agent                    | wall s | start s | gap ms | CPU s | RSS MB | first request B | all bytes sent |
| ------------------------ | ------ | ------- | ------ | ----- | ------ | --------------- | -------------- |
| bare loop, stdlib only   | 0.09   | 0.06    | 1.3    | 0.08  | 20     | 426             | 17,777         |
| codex 0.171 (Rust)       | 1.1    | 0.37    | 68     | 0.9   | 151    | 40,713          | 467,589        |
| pi 0.73 (Node)           | 1.3    | 1.1     | 14     | 1.7   | 170    | 5,688           | 74,614         |
| kimi-cli 1.51 (Python)   | 3.4    | 2.5     | 26     | 3.4   | 128    | 49,179          | 554,995        |
| gemini-cli 0.61 (Node)   | 4.0    | 2.9     | 49     | 4.6   | 285    | 48,958          | 561,804        |
| mistral-vibe 3.0         | 4.2    | 2.9     | 56     | 4.1   | 141    | 32,871          | 381,218        |
| qwen-code 0.24 (Node)    | 4.7    | 2.5     | 47     | 5.7   | 297    | 78,565          | 884,567        |
| mini-swe-agent 2.4       | 5.5    | 4.0     | 18     | 5.4   | 217    | 3,401           | 50,612         |
| opencode 1.18            | 7.5    | 4.3     | 299    | 10    | 663    | 30,830          | 353,586        |"""
