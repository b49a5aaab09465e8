# Completion of coffre in fish: coffre completion fish > ~/.config/fish/completions/coffre.fish

function __coffre_paths
    set -l words (commandline -opc)
    set -l place
    for at in (seq (count $words))
        switch $words[$at]
            case --vault
                set place --vault $words[(math $at + 1)]
            case '--vault=*'
                set place $words[$at]
        end
    end
    # Of --name=value only the value is a path.
    set -l typed (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    command $words[1] __complete-paths $place -- $typed 2>/dev/null </dev/null
end

complete -c coffre -f
complete -c coffre -n __fish_use_subcommand -l version -d 'Show the version'
{{everywhere}}
{{commands}}
